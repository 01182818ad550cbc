// Where on this host a cgroup may be made.
// SPDX-License-Identifier: MIT
#pragma once

#include <sys/types.h>

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "cgroup_home.hpp"

namespace sandbox::runner {

// The place of a process in the cgroup v2 tree, as our own mounts show it.
class CgroupPlace {
 public:
  std::string mount_point;  // "/sys/fs/cgroup"
  std::string own;          // directory of its own cgroup, at or below the mount point
};

// From the texts of /proc/self/mountinfo and /proc/self/cgroup; nullopt: no cgroup v2 here.
std::optional<CgroupPlace> find_cgroup_place(std::string_view mountinfo, std::string_view cgroup);

std::optional<CgroupPlace> find_cgroup_place_of(pid_t process);

// Either a home, or why there is none and what would mend it.
class CgroupSearch {
 public:
  std::unique_ptr<CgroupHome> home;
  std::string reason;
};

// In this order: `wanted`, when given; our own cgroup or the one above it, where it is delegated to
// us, if need be after this process and `launcher` have moved into a child of it; with systemd, a
// scope that it makes for `launcher`; our own one with nothing in it but these two; for root
// without a service manager, the top. May block for a few seconds. Never throws for what a host
// lacks.
CgroupSearch find_cgroup_home(const std::optional<std::string>& wanted, pid_t launcher);

}  // namespace sandbox::runner
