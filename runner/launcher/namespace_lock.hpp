// No namespace can be made in the run's user namespace, by the kernel's own count.
// SPDX-License-Identifier: MIT
#pragma once

#include "context.hpp"

namespace sandbox::runner::launcher {

// Sets the namespace's limits of namespaces, and of inotify and fanotify, to zero (hardening step
// 28, M18). Needs the capabilities of the namespace.
void lock_namespaces(Context& context);

// Proves it once the capabilities are gone: a user namespace is refused for want of room.
void prove_namespace_lock(Context& context);

}  // namespace sandbox::runner::launcher
