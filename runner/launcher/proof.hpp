// Set, then proven: what the kernel says about what was made (hardening 4.5).
// SPDX-License-Identifier: MIT
#pragma once

#include <sys/types.h>

#include "context.hpp"

namespace sandbox::runner::launcher {

// The mounts are those of the plan and what lay below its binds, each with the flags of its kind.
void prove_mounts(const Context& context, const Span& tree);

// No network interface is up, or the loopback alone.
void prove_network(const Context& context, bool loopback);

// The program's process, as init sees it through `proc`, a view on the run's processes: no
// capability in any set, no_new_privs, the guest's ids, and one filter in force where one is
// wanted.
void prove_workload(const Context& context, int proc, pid_t workload);

// Nothing but the three streams and `status` is open in this process.
void prove_descriptors(const Context& context, int status);

}  // namespace sandbox::runner::launcher
