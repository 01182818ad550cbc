// Which paths of the host may become part of a guest, and where the guest can have them.
// SPDX-License-Identifier: MIT
#include "bind_policy.hpp"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "host_path.hpp"

namespace sandbox::runner {
namespace {

constexpr std::size_t kHomeField = 5;  // passwd(5)

std::string home_of_passwd_line(const std::string& line) {
  std::istringstream fields(line);
  std::string field;
  for (std::size_t i = 0; i <= kHomeField; ++i) {
    if (!std::getline(fields, field, ':')) return {};
  }
  return field;
}

// Service accounts are given places like /bin and /usr/sbin; those are no one's home.
bool is_system_place(const std::string& path) {
  return is_within(path, "/usr") || is_within(path, "/bin") || is_within(path, "/sbin") ||
         is_within(path, "/dev") || is_within(path, "/proc");
}

void add_home(const std::string& path, std::vector<std::string>& homes) {
  if (!path.starts_with('/')) return;
  const HostWalk walk = walk_host_path(path);
  if (!walk.failure.empty() || is_system_place(walk.real_path)) return;
  homes.push_back(walk.real_path);
}

}  // namespace

GuestPlace place_of(std::string_view guest_path) {
  for (const std::string_view own : {"/dev", "/proc", "/sys", "/var/tmp"}) {
    if (is_within(guest_path, own)) return GuestPlace::impossible;
  }
  if (guest_path == "/" || guest_path == "/tmp" || guest_path == "/work") {
    return GuestPlace::impossible;
  }
  if (is_within(guest_path, "/tmp") || is_within(guest_path, "/work")) return GuestPlace::late;
  if (is_within(guest_path, "/etc")) {
    const auto& shared = shared_etc_paths();
    const bool known = std::any_of(shared.begin(), shared.end(), [&](const std::string& path) {
      return is_within(guest_path, path);
    });
    return known ? GuestPlace::root : GuestPlace::impossible;
  }
  return GuestPlace::root;
}

const std::vector<std::string>& shared_etc_paths() {
  static const std::vector<std::string> paths = {"/etc/alternatives", "/etc/fonts",
                                                 "/etc/ld.so.cache", "/etc/matplotlibrc",
                                                 "/etc/mime.types"};
  return paths;
}

BindPolicy::BindPolicy()
    : never_{"/etc", "/var", "/tmp", "/root", "/home", "/work", "/run",   "/dev",      "/proc",
             "/sys", "/opt", "/srv", "/mnt",  "/boot", "/usr",  "/media", "/usr/local"} {
  std::ifstream passwd("/etc/passwd");
  for (std::string line; std::getline(passwd, line);) add_home(home_of_passwd_line(line), homes_);
  if (const char* home = std::getenv("HOME")) add_home(home, homes_);
}

std::string BindPolicy::refusal(std::string_view real_path) const {
  const auto contained = [&](const std::vector<std::string>& list) {
    return std::find_if(list.begin(), list.end(),
                        [&](const std::string& entry) { return is_within(entry, real_path); });
  };
  if (const auto found = contained(never_); found != never_.end()) {
    return "it is or contains " + *found;
  }
  if (const auto found = contained(homes_); found != homes_.end()) {
    return "it is or contains the home directory " + *found;
  }
  if (parent_of(real_path) == "/home") return "it is a home directory";
  return {};
}

}  // namespace sandbox::runner
