// SPDX-License-Identifier: MIT
#include "outside_identity.hpp"

#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <string>

#include "sandbox/error.hpp"

namespace sandbox::runner {
namespace {

// Above every range that distributions, systemd and container engines hand out, below 2^31.
constexpr std::uint32_t kPreferredUid = 1879048200;

bool is_mapped(const std::vector<IdRange>& map, std::uint32_t uid) {
  return std::any_of(map.begin(), map.end(), [uid](const IdRange& range) {
    return uid >= range.inside && uid - range.inside < range.count;
  });
}

constexpr std::uint32_t kPoolSize = 4096;

// The ids for guests: from the preferred one on where these exist, else the last of a range.
UidRange pool_range(const std::vector<IdRange>& map, std::uint32_t picked) {
  for (const IdRange& range : map) {
    if (range.count == 0 || picked < range.inside || picked - range.inside >= range.count) continue;
    const std::uint32_t last = range.inside + (range.count - 1);
    if (picked == kPreferredUid) return {picked, std::min(kPoolSize, last - picked + 1)};
    const std::uint32_t lowest = std::max<std::uint32_t>(range.inside, 1);  // never 0
    const std::uint32_t first = picked - std::min(kPoolSize - 1, picked - lowest);
    return {first, picked - first + 1};
  }
  return {picked, 1};
}

// What distributions give to services of their own, nobody and 16-bit -1 lie above this one; a
// container often ends with them (65536 ids).
constexpr std::uint32_t kLastOrdinaryUid = 59999;
constexpr std::uint32_t kLastReservedUid = 65536;

std::uint32_t last_free_of(const IdRange& range) {
  const std::uint32_t last = range.inside + (range.count - 1);
  const bool ends_reserved = last > kLastOrdinaryUid && last <= kLastReservedUid;
  return ends_reserved && range.inside <= kLastOrdinaryUid ? kLastOrdinaryUid : last;
}

// The preferred one, else the last mapped id: the one least likely to own something.
std::optional<std::uint32_t> pick_uid(const std::vector<IdRange>& map) {
  if (is_mapped(map, kPreferredUid)) return kPreferredUid;
  std::optional<std::uint32_t> last;
  for (const IdRange& range : map) {
    if (range.count == 0) continue;
    const std::uint32_t uid = last_free_of(range);
    if (uid != 0 && (!last || uid > *last)) last = uid;
  }
  return last;
}

}  // namespace

OutsideIdentity choose_outside_identity(std::uint32_t euid, std::uint32_t egid,
                                        const std::vector<IdRange>& map,
                                        std::optional<std::uint32_t> wanted) {
  OutsideIdentity identity;
  if (wanted && *wanted == 0) {
    throw Error(errc::config_error,
                "outside_uid is 0, but a guest never runs as root of the host; name an "
                "unprivileged uid");
  }
  if (euid != 0) {
    if (wanted && *wanted != euid) {
      throw Error(errc::config_error, "outside_uid is " + std::to_string(*wanted) +
                                          ", but only root can run guests as another user; this "
                                          "process is uid " +
                                          std::to_string(euid) + ": leave the option out");
    }
    identity.uid = euid;
    identity.gid = egid;
    return identity;
  }
  // Root knows itself at least. A map that could not be read must not pass for one that has no
  // other id: the guest would keep root's.
  if (!is_mapped(map, 0)) {
    throw Error(errc::setup_failed,
                "/proc/self/uid_map does not name this process's own uid 0; is /proc mounted and "
                "readable?");
  }
  if (wanted && !is_mapped(map, *wanted)) {
    throw Error(errc::config_error, "outside_uid " + std::to_string(*wanted) +
                                        " does not exist in this user namespace; choose one that "
                                        "/proc/self/uid_map maps");
  }
  const std::optional<std::uint32_t> uid = wanted ? wanted : pick_uid(map);
  identity.only_root_exists = !uid;
  identity.switch_identity = uid.has_value();
  identity.uid = uid.value_or(0);
  identity.gid = uid.value_or(egid);
  if (uid && !wanted) identity.pool = pool_range(map, *uid);
  return identity;
}

OutsideIdentity find_outside_identity(std::optional<std::uint32_t> wanted) {
  const std::ifstream file("/proc/self/uid_map");
  std::stringstream text;
  text << file.rdbuf();
  return choose_outside_identity(::geteuid(), ::getegid(), parse_id_map(text.str()), wanted);
}

std::vector<IdRange> parse_id_map(std::string_view text) {
  std::vector<IdRange> map;
  std::istringstream lines{std::string(text)};
  std::uint32_t inside = 0;
  std::uint32_t outside = 0;
  std::uint32_t count = 0;
  while (lines >> inside >> outside >> count) map.push_back({inside, count});
  return map;
}

}  // namespace sandbox::runner
