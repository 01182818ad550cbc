// Which unprivileged ids guests have outside.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace sandbox::runner {

// A line of a uid_map: `count` ids from `inside`.
struct IdRange {
  std::uint32_t inside;
  std::uint32_t count;
};

struct UidRange {
  std::uint32_t first = 0;
  std::uint32_t count = 0;
};

struct OutsideIdentity {
  std::uint32_t uid = 0;
  std::uint32_t gid = 0;
  // The host process is root and gives its ids up for these.
  bool switch_identity = false;
  // The host process is uid 0 of a user namespace that knows no other id: there is nothing to
  // change to, and where that 0 is the machine's root the kernel does not count processes
  // (hardening M11).
  bool only_root_exists = false;
  // Where each sandbox gets a uid of its own: the range for them. Empty: all share `uid`.
  UidRange pool;
};

// Pure: what to use for a host process of these ids and this map. An ordinary user keeps its own.
// Errors: errc::config_error when `wanted` is 0 or not in the map; errc::setup_failed when the map
// cannot be that of a root process.
OutsideIdentity choose_outside_identity(std::uint32_t euid, std::uint32_t egid,
                                        const std::vector<IdRange>& map,
                                        std::optional<std::uint32_t> wanted);

// Of this process.
OutsideIdentity find_outside_identity(std::optional<std::uint32_t> wanted);

// The text of /proc/PID/uid_map.
std::vector<IdRange> parse_id_map(std::string_view text);

}  // namespace sandbox::runner
