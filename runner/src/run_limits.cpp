// SPDX-License-Identifier: MIT
#include "run_limits.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace sandbox::runner {
namespace {

// 1, not 0: the one value that no kind of core_pattern acts on (hardening step 30).
constexpr std::uint64_t kNoCoreDump = 1;

launcher::ResourceLimit limit_of(__rlimit_resource resource, std::uint64_t soft,
                                 std::uint64_t hard) {
  // A process may only lower its hard limits; one that is lower already is as strict.
  rlimit now{};
  if (::getrlimit(resource, &now) == 0) hard = std::min<std::uint64_t>(hard, now.rlim_max);
  launcher::ResourceLimit limit;
  limit.resource = static_cast<std::uint32_t>(resource);
  limit.soft = std::min(soft, hard);
  limit.hard = hard;
  return limit;
}

launcher::ResourceLimit fixed(__rlimit_resource resource, std::uint64_t value) {
  return limit_of(resource, value, value);
}

}  // namespace

std::vector<launcher::ResourceLimit> make_resource_limits(const Limits& limits, bool in_cgroup) {
  constexpr std::uint64_t kStack = 8ULL << 20U;
  constexpr std::uint64_t kLockedMemory = 64ULL << 10U;
  constexpr std::uint64_t kPendingSignals = 256;
  std::vector<launcher::ResourceLimit> list = {
      // init counts as well: it lives in the same user namespace, in which the kernel counts.
      fixed(RLIMIT_NPROC, *limits.processes() + 1ULL),
      fixed(RLIMIT_NOFILE, *limits.open_files()),
      fixed(RLIMIT_FSIZE, limits.file_size()->count()),
      fixed(RLIMIT_CORE, kNoCoreDump),
      fixed(RLIMIT_STACK, kStack),
      fixed(RLIMIT_MEMLOCK, kLockedMemory),
      fixed(RLIMIT_MSGQUEUE, 0),
      fixed(RLIMIT_SIGPENDING, kPendingSignals),
      fixed(RLIMIT_NICE, 0),
      fixed(RLIMIT_RTPRIO, 0),
  };
  if (!in_cgroup) list.push_back(fixed(RLIMIT_DATA, limits.memory()->count()));
  if (limits.cpu_time()) {
    // A backstop for one process (hardening M12); init adds up all of them and acts first.
    const auto milliseconds = static_cast<std::uint64_t>(limits.cpu_time()->count());
    const std::uint64_t seconds = milliseconds / 1000 + (milliseconds % 1000 != 0 ? 1 : 0) + 1;
    list.push_back(limit_of(RLIMIT_CPU, seconds, seconds + 1));
  }
  return list;
}

std::vector<launcher::ResourceLimit> make_core_dump_limit() {
  return {fixed(RLIMIT_CORE, kNoCoreDump)};
}

std::string resource_limit_name(const std::vector<launcher::ResourceLimit>& limits,
                                std::uint32_t item) {
  static constexpr std::array<std::pair<int, std::string_view>, 12> kNames = {{
      {RLIMIT_DATA, "RLIMIT_DATA"},
      {RLIMIT_NPROC, "RLIMIT_NPROC"},
      {RLIMIT_NOFILE, "RLIMIT_NOFILE"},
      {RLIMIT_FSIZE, "RLIMIT_FSIZE"},
      {RLIMIT_CORE, "RLIMIT_CORE"},
      {RLIMIT_STACK, "RLIMIT_STACK"},
      {RLIMIT_MEMLOCK, "RLIMIT_MEMLOCK"},
      {RLIMIT_MSGQUEUE, "RLIMIT_MSGQUEUE"},
      {RLIMIT_SIGPENDING, "RLIMIT_SIGPENDING"},
      {RLIMIT_NICE, "RLIMIT_NICE"},
      {RLIMIT_RTPRIO, "RLIMIT_RTPRIO"},
      {RLIMIT_CPU, "RLIMIT_CPU"},
  }};
  if (item >= limits.size()) return {};
  for (const auto& [resource, name] : kNames) {
    if (static_cast<std::uint32_t>(resource) == limits[item].resource) return std::string(name);
  }
  return {};
}

}  // namespace sandbox::runner
