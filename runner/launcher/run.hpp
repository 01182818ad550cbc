// One run in a sandbox: the stage process joins its namespaces and makes init.
// SPDX-License-Identifier: MIT
#pragma once

#include "context.hpp"

namespace sandbox::runner::launcher {

// The descriptors of a run, as they came with the request.
class RunDescriptors {
 public:
  // `received`: from stdin on.
  RunDescriptors(const int* received, bool has_time_namespace);
  int standard[3];
  int user_namespace;
  int mount_namespace;
  int net_namespace;
  int uts_namespace;
  int time_namespace;  // -1: none
};

// Runs in a process of its own, made by the launcher for this request.
[[noreturn]] void start_run(Context& context, const RunDescriptors& descriptors);

// pid 1 of the run: builds what is fresh in each run, starts the workload, reaps, reports.
[[noreturn]] void be_init(Context& context, const RunDescriptors& descriptors);

// The program's process: the last steps, then `ready` to init with what was applied (and the
// listener of denied calls), init's word to go on, then exec. `status` is the socket to init; it
// closes with the exec.
[[noreturn]] void become_workload(Context& context, const RunDescriptors& descriptors, int status);

}  // namespace sandbox::runner::launcher
