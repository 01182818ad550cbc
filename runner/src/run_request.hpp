// The flat request of one run.
// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "backend_core.hpp"
#include "image.hpp"
#include "sandbox/exec.hpp"

namespace sandbox::runner {

// What of a sandbox a run's request needs to know.
class RunFacts {
 public:
  const Image& image;
  const std::string& work_directory;
  std::uint32_t outside_uid = 0;
  bool has_time_namespace = false;
  bool in_cgroup = false;
};

// Errors: errc::too_large when it does not fit.
std::string write_run_request(const BackendCore& core, const RunFacts& facts,
                              const ExecRequest& request, const Limits& limits);

}  // namespace sandbox::runner
