// The map of user ids: whatever it says, guests never get the host's root.
// SPDX-License-Identifier: MIT
#include <limits>

#include "outside_identity.hpp"
#include "sandbox/error.hpp"
#include "targets.hpp"

namespace sandbox::fuzz {
namespace {

using runner::IdRange;
using runner::OutsideIdentity;
using Map = std::vector<IdRange>;

constexpr std::uint64_t kNoUid = std::numeric_limits<std::uint32_t>::max();  // (uid_t)-1

// The kernel maps neither (uid_t)-1 nor anything behind it.
bool is_the_kernels(const Map& map) {
  return std::all_of(map.begin(), map.end(), [](const IdRange& range) {
    return std::uint64_t{range.inside} + range.count <= kNoUid;
  });
}

bool is_mapped(const Map& map, std::uint32_t uid) {
  return std::any_of(map.begin(), map.end(), [uid](const IdRange& range) {
    return uid >= range.inside && uid < std::uint64_t{range.inside} + range.count;
  });
}

void check_of_root(const Map& map, std::optional<std::uint32_t> wanted) {
  OutsideIdentity found;
  try {
    found = runner::choose_outside_identity(0, 0, map, wanted);
  } catch (const Error& error) {
    const errc code = error.sandbox_code();
    check(code == errc::config_error || code == errc::setup_failed, "the error that is promised");
    return;
  }
  if (!is_the_kernels(map)) return;
  check(found.switch_identity != found.only_root_exists, "root changes its id where it can");
  if (!found.switch_identity) return;
  check(found.uid != 0 && found.gid != 0 && found.uid != kNoUid, "never the host's root");
  check(is_mapped(map, found.uid), "an id that exists");
  if (wanted) {
    check(found.uid == *wanted && found.pool.count == 0, "the id that was wanted, and no other");
    return;
  }
  const std::uint64_t end = std::uint64_t{found.pool.first} + found.pool.count;
  check(found.pool.count >= 1 && found.pool.first > 0, "the ids of guests are not root's");
  check(found.uid >= found.pool.first && found.uid < end, "the id is one of those of guests");
  check(is_mapped(map, found.pool.first) && is_mapped(map, static_cast<std::uint32_t>(end - 1)),
        "the ids of guests exist");
}

}  // namespace

void id_map(Bytes input) {
  const Map map = runner::parse_id_map(text_of(input));
  check_of_root(map, std::nullopt);
  for (const std::uint32_t wanted : {0U, 1U, 1000U, ~0U}) check_of_root(map, wanted);
  constexpr std::size_t kMost = 16;
  for (std::size_t i = 0; i < std::min(map.size(), kMost); ++i) check_of_root(map, map[i].inside);
  const OutsideIdentity own = runner::choose_outside_identity(1000, 100, map, std::nullopt);
  check(own.uid == 1000 && own.gid == 100 && !own.switch_identity, "a user keeps its ids");
}

}  // namespace sandbox::fuzz
