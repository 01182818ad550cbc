// What this host lets a sandbox do, found by doing it.
// SPDX-License-Identifier: MIT
#pragma once

#include "context.hpp"

namespace sandbox::runner::launcher {

// Tries everything in Probe, each in a process of its own that is gone afterwards, and answers
// with one `probed` for each, in order. Runs in a process of its own.
[[noreturn]] void try_all(const Context& context);

}  // namespace sandbox::runner::launcher
