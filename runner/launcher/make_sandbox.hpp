// Making a sandbox: its namespaces and its root, handed to the host as descriptors.
// SPDX-License-Identifier: MIT
#pragma once

#include "context.hpp"

namespace sandbox::runner::launcher {

// Runs in a process of its own, made by the launcher for this request.
[[noreturn]] void make_sandbox(Context& context);

}  // namespace sandbox::runner::launcher
