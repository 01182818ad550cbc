// Making a sandbox: its namespaces and its root, handed to the host as descriptors.
// SPDX-License-Identifier: MIT
#pragma once

#include "context.hpp"

namespace sandbox::runner::launcher {

// Runs in a process of its own, made by the launcher for this request.
[[noreturn]] void make_sandbox(Context& context);

// Whether the mounts of an image are copied before root gives up its identity. Root in a container
// may lack the right to (CAP_SYS_ADMIN over them), and then comes to them as an ordinary user does.
bool copies_mounts_early(const Context& context);

// Makes all mounts private and an empty tmpfs the root, with the old root still on top of it. The
// new root is stacked on the old one's place, so that no directory of the host is needed as a mount
// point.
void enter_root(const Context& context);

}  // namespace sandbox::runner::launcher
