// One run in a sandbox: the stage process joins its namespaces and makes init.
// SPDX-License-Identifier: MIT
#pragma once

#include "context.hpp"

namespace sandbox::runner::launcher {

// The descriptors of a run, as they came with the request.
class RunDescriptors {
 public:
  explicit RunDescriptors(const int* received);
  int standard[3];
  int user_namespace;
  int mount_namespace;
  int net_namespace;
  int uts_namespace;
};

// Runs in a process of its own, made by the launcher for this request.
[[noreturn]] void start_run(const Context& context, const RunDescriptors& descriptors);

// pid 1 of the run: builds what is fresh in each run, starts the workload, reaps, reports.
[[noreturn]] void be_init(const Context& context, const RunDescriptors& descriptors);

// The program's process: the last steps, then exec. Failures go to `status`, as does one byte just
// before the exec.
[[noreturn]] void become_workload(const Context& context, const RunDescriptors& descriptors,
                                  int status);

}  // namespace sandbox::runner::launcher
