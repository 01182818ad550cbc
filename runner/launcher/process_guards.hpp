// Protections that a process asks of the kernel for itself.
// SPDX-License-Identifier: MIT
#pragma once

#include <linux/filter.h>

#include "context.hpp"

namespace sandbox::runner::launcher {

// A session keyring with nothing in it, and a core scheduling cookie of its own.
void keep_to_itself(Context& context);

// No memory that is writable and executable, kept over fork and exec (hardening step 34, M24).
void refuse_writable_code(Context& context);

// seccomp(2) with these flags: 0 or, with a listener, its descriptor; -1 on failure.
long install_filter(unsigned flags, const sock_fprog& program);

// The listener of the filter's notifications; -1 on failure.
int install_with_listener(const sock_fprog& program);

}  // namespace sandbox::runner::launcher
