// The environment of a run: explicit, nothing inherited.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace sandbox::runner {

// Below the run's own /tmp, so it is empty at the start of each run.
inline constexpr const char* kGuestHome = "/tmp/home";

struct GuestEnvironment {
  std::vector<std::string> path_directories;
  std::uint32_t processes = 0;  // limit of the run, from which thread counts are derived
  unsigned cpus = 1;
};

// The fixed variables, then `extra` over them.
std::map<std::string, std::string> make_guest_environment(
    const GuestEnvironment& facts, const std::map<std::string, std::string>& extra);

// "NAME=value" each.
std::vector<std::string> to_strings(const std::map<std::string, std::string>& environment);

// The paths at which to look for `program`, as a shell would with this PATH.
std::vector<std::string> exec_candidates(const std::string& program,
                                         const std::map<std::string, std::string>& environment);

}  // namespace sandbox::runner
