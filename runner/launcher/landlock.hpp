// A second file system layer over the same tree, and a fence for signals and abstract sockets.
// SPDX-License-Identifier: MIT
#pragma once

#include "context.hpp"

namespace sandbox::runner::launcher {

// The Landlock ABI of this kernel, 0 where there is none.
int landlock_abi();

// Restricts this process, for good, to the rules of the request, then proves it (hardening step
// 35). Everything that the ABI can handle is handled; what no rule grants is refused.
void restrict_files(Context& context);

}  // namespace sandbox::runner::launcher
