// Limits of a run as the kernel's resource limits.
// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "../launcher/plan.hpp"
#include "sandbox/limits.hpp"

namespace sandbox::runner {

// REQUIRES: memory, processes, file size and open files are set.
// `in_cgroup`: memory is limited there for the whole run, and not for each process.
std::vector<launcher::ResourceLimit> make_resource_limits(const Limits& limits, bool in_cgroup);

// The one that stays when the resource limits are turned off: it protects the host.
std::vector<launcher::ResourceLimit> make_core_dump_limit();

// "RLIMIT_NPROC" for the element of that list.
std::string resource_limit_name(const std::vector<launcher::ResourceLimit>& limits,
                                std::uint32_t item);

}  // namespace sandbox::runner
