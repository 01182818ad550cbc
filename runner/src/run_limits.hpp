// Limits of a run as the kernel's resource limits.
// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "../launcher/plan.hpp"
#include "sandbox/limits.hpp"

namespace sandbox::runner {

// REQUIRES: memory, processes, file size and open files are set.
std::vector<launcher::ResourceLimit> make_resource_limits(const Limits& limits);

// "RLIMIT_NPROC" for the element of that list.
std::string resource_limit_name(const std::vector<launcher::ResourceLimit>& limits,
                                std::uint32_t item);

}  // namespace sandbox::runner
