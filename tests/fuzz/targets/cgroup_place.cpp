// Our place in the cgroup tree: at the mount point or below it, whatever the files say.
// SPDX-License-Identifier: MIT
#include "cgroup_search.hpp"
#include "targets.hpp"

namespace sandbox::fuzz {
namespace {

// What stands behind "0::", the mark of the cgroup v2 tree, in the first line that has it.
std::string_view own_path(std::string_view groups) {
  constexpr std::string_view kMark = "0::";
  std::size_t at = 0;
  while (!groups.substr(at).starts_with(kMark)) {
    at = groups.find('\n', at);
    if (at == std::string_view::npos) return {};
    ++at;
  }
  groups.remove_prefix(at + kMark.size());
  return groups.substr(0, groups.find('\n'));
}

// Where a part of the tree is mounted, only what lies in it has a directory.
void check_part(std::string_view groups) {
  constexpr std::string_view kRoot = "/docker/ab";
  const auto place =
      runner::find_cgroup_place("1 2 0:3 /docker/ab /mnt rw - cgroup2 c rw\n", groups);
  if (!place) return;
  std::string_view path = own_path(groups);
  check(path == kRoot || path.starts_with(std::string(kRoot) + "/"), "our cgroup is in that part");
  path.remove_prefix(kRoot.size());
  check(place->own == "/mnt" + std::string(path == "/" ? "" : path), "the part's directory");
}

}  // namespace

// The input is /proc/self/mountinfo, a line "%%", and /proc/self/cgroup.
void cgroup_place(Bytes input) {
  constexpr std::string_view kBetween = "%%\n";
  const std::string_view text = text_of(input);
  const std::size_t between = std::min(text.find(kBetween), text.size());
  const std::string_view mounts = text.substr(0, between);
  const std::string_view groups = text.substr(std::min(between + kBetween.size(), text.size()));
  // The kernel writes absolute paths; of others only no crash is asked.
  const bool is_the_kernels = own_path(groups).starts_with('/');
  if (is_the_kernels) check_part(groups);
  const auto place = runner::find_cgroup_place(mounts, groups);
  if (!place) return;
  check(!place->mount_point.empty(), "a place has a mount point");
  if (!is_the_kernels) return;
  check(place->own == place->mount_point || place->own.starts_with(place->mount_point + "/"),
        "our cgroup is at the mount point or below it");
  check((place->own + "/").find("/../", place->mount_point.size()) == std::string::npos,
        "our cgroup is no way up");
}

}  // namespace sandbox::fuzz
