// SPDX-License-Identifier: MIT
#include "cgroup_search.hpp"

#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <vector>

#include "sandbox/error.hpp"
#include "systemd_scope.hpp"

namespace sandbox::runner {
namespace {

namespace fs = std::filesystem;

constexpr const char* kNeeded[] = {"memory", "pids", "cpu"};
constexpr const char* kMissingFix =
    "; where cgroup v1 holds them (grep cgroup /proc/mounts), boot with "
    "systemd.unified_cgroup_hierarchy=1";
constexpr const char* kFix =
    "; as a service use Delegate=yes, in a container --cgroupns=private with a writable "
    "/sys/fs/cgroup, or name a delegated directory with BackendOptions::cgroup";

std::string text_of(const std::string& path) {
  const std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream words(text);
  return {std::istream_iterator<std::string>(words), {}};
}

// Which of the controllers that we need a file does not list.
std::string missing_in(const std::string& directory, const char* file) {
  const std::vector<std::string> have =
      words_of(read_cgroup_file(directory, file).value_or(std::string()));
  std::string missing;
  for (const char* name : kNeeded) {
    if (std::find(have.begin(), have.end(), name) != have.end()) continue;
    missing += (missing.empty() ? "" : ", ") + std::string(name);
  }
  return missing;
}

bool is_writable(const std::string& directory) {
  return ::access(directory.c_str(), W_OK) == 0 &&
         ::access((directory + "/cgroup.procs").c_str(), W_OK) == 0 &&
         ::access((directory + "/cgroup.subtree_control").c_str(), W_OK) == 0;
}

bool is_managed() { return ::access("/run/systemd/system", F_OK) == 0; }

// systemd's mark on a cgroup that it leaves to whom it started there (since version 252).
bool is_marked_delegated(const std::string& directory) {
  char mark = '0';
  return ::getxattr(directory.c_str(), "user.delegate", &mark, 1) == 1 && mark == '1';
}

// Root may write everywhere, and a user below a manager of their own: what a service manager keeps
// for itself is not ours for that.
bool is_given_to_us(const std::string& directory, const CgroupPlace& place) {
  if (!is_writable(directory)) return false;
  if (is_managed()) return is_marked_delegated(directory);
  // For root the top of what we see: of the machine, or of our own namespace.
  return ::geteuid() != 0 || directory == place.mount_point;
}

bool holds_only(const std::string& directory, pid_t self, pid_t launcher) {
  const auto inside = words_of(read_cgroup_file(directory, "cgroup.procs").value_or(std::string()));
  return std::all_of(inside.begin(), inside.end(), [&](const std::string& pid) {
    return pid == std::to_string(self) || pid == std::to_string(launcher);
  });
}

// A cgroup with processes in it cannot give controllers to children (no internal processes).
void move_out_of_the_way(const std::string& directory, pid_t launcher) {
  const std::string child = directory + "/libsandbox.host";
  ::mkdir(child.c_str(), 0755);
  write_cgroup_file(child, "cgroup.procs", std::to_string(::getpid()));
  write_cgroup_file(child, "cgroup.procs", std::to_string(launcher));
}

class Search {
 public:
  Search(const CgroupPlace& place, pid_t launcher) : place_(place), launcher_(launcher) {}

  CgroupSearch run() {
    const std::string parent = fs::path(place_.own).parent_path().string();
    const bool has_parent = place_.own != place_.mount_point;
    const bool is_given = is_given_to_us(place_.own, place_);
    if (is_given && can_host_children(place_.own)) try_below(place_.own);
    if (!found_.home && has_parent && is_given_to_us(parent, place_)) try_below(parent);
    if (!found_.home && is_given) try_after_moving();
    if (!found_.home && is_managed()) try_scope();
    if (!found_.home && !is_given) try_after_moving();
    if (!found_.home && ::geteuid() == 0 && !is_managed()) try_below(place_.mount_point);
    if (!found_.home && found_.reason.empty()) {
      found_.reason = "the cgroup " + place_.own + " is not delegated to this process";
    }
    if (!found_.home) found_.reason += is_missing_ ? kMissingFix : kFix;
    return std::move(found_);
  }

 private:
  // The root of the tree may; so may one that gives controllers to its children already.
  [[nodiscard]] bool can_host_children(const std::string& directory) const {
    return !read_cgroup_file(directory, "cgroup.type") ||
           missing_in(directory, "cgroup.subtree_control").empty();
  }

  void tell_missing(const std::string& directory, const std::string& missing) {
    found_.reason = "cgroup v2 at " + directory + " has no " + missing + " controller";
    is_missing_ = directory == place_.mount_point;
  }

  void try_below(const std::string& directory) {
    const std::string missing = missing_in(directory, "cgroup.controllers");
    if (!missing.empty()) {
      tell_missing(directory, missing);
      return;
    }
    try {
      found_.home = CgroupHome::make_below(directory);
    } catch (const Error& error) {
      found_.reason = error.what();
    }
  }

  void try_scope() {
    const std::string missing = missing_in(place_.mount_point, "cgroup.controllers");
    if (!missing.empty()) {
      tell_missing(place_.mount_point, missing);
      return;
    }
    try {
      try_below(enter_systemd_scope(launcher_));
    } catch (const Error& error) {
      found_.reason = error.what();
    }
  }

  void try_after_moving() {
    if (!is_writable(place_.own) || !holds_only(place_.own, ::getpid(), launcher_)) return;
    if (!missing_in(place_.own, "cgroup.controllers").empty()) return try_below(place_.own);
    try {
      move_out_of_the_way(place_.own, launcher_);
    } catch (const Error& error) {
      found_.reason = error.what();
      return;
    }
    try_below(place_.own);
  }

  const CgroupPlace& place_;
  pid_t launcher_;
  CgroupSearch found_;
  bool is_missing_ = false;  // a controller, from all of the tree that we see
};

}  // namespace

std::optional<CgroupPlace> find_cgroup_place(std::string_view mountinfo, std::string_view cgroup) {
  // proc(5): ID PARENT DEVICE ROOT MOUNTPOINT OPTIONS [TAGS...] - TYPE SOURCE OPTIONS
  std::string root;
  CgroupPlace place;
  std::istringstream mounts{std::string(mountinfo)};
  for (std::string line; std::getline(mounts, line);) {
    const std::vector<std::string> fields = words_of(line);
    const auto dash = std::find(fields.begin(), fields.end(), "-");
    if (fields.size() < 5 || dash == fields.end() || std::next(dash) == fields.end()) continue;
    if (*std::next(dash) != "cgroup2") continue;
    root = fields[3];
    place.mount_point = fields[4];
    break;
  }
  if (place.mount_point.empty()) return std::nullopt;

  std::istringstream groups{std::string(cgroup)};
  for (std::string line; std::getline(groups, line);) {
    if (!line.starts_with("0::")) continue;
    std::string path = line.substr(3);
    // What is mounted may be a part of the tree only; outside of it we have no directory.
    if (root != "/") {
      if (path != root && !path.starts_with(root + "/")) return std::nullopt;
      path = path.substr(root.size());
    }
    if (path.find("/..") != std::string::npos) return std::nullopt;
    place.own = place.mount_point + (path == "/" ? "" : path);
    return place;
  }
  return std::nullopt;
}

std::optional<CgroupPlace> find_cgroup_place_of(pid_t process) {
  const std::string text = text_of("/proc/" + std::to_string(process) + "/cgroup");
  return find_cgroup_place(text_of("/proc/self/mountinfo"), text);
}

CgroupSearch find_cgroup_home(const std::optional<std::string>& wanted, pid_t launcher) {
  CgroupSearch found;
  if (wanted) {
    const std::string missing = missing_in(*wanted, "cgroup.controllers");
    if (!missing.empty()) {
      found.reason = "the cgroup " + *wanted + " is no cgroup v2 directory, or has no " + missing +
                     " controller";
      return found;
    }
    try {
      found.home = CgroupHome::make_below(*wanted);
    } catch (const Error& error) {
      found.reason = error.what();
    }
    return found;
  }
  const std::optional<CgroupPlace> place = find_cgroup_place_of(::getpid());
  if (!place) {
    found.reason = "no cgroup v2 is mounted here, or this process is outside of it";
    return found;
  }
  return Search(*place, launcher).run();
}

}  // namespace sandbox::runner
