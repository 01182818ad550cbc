// The steps of a build that work on files: before the packages come, and after they are unpacked.
// SPDX-License-Identifier: MIT
#include "image_unpack.hpp"

#include <fcntl.h>
#include <fnmatch.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "bind_policy.hpp"
#include "directory_listing.hpp"
#include "host_path.hpp"
#include "image_recipe.hpp"
#include "sandbox/error.hpp"
#include "tree_removal.hpp"
#include "whole_file.hpp"

namespace sandbox::runner {
namespace {

constexpr mode_t kDirectoryMode = 0755;

Fd open_below(int root, const std::string& path) {
  open_how how{};
  how.flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC;
  how.resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS;
  return Fd(static_cast<int>(::syscall(SYS_openat2, root, path.c_str(), &how, sizeof(how))));
}

mode_t mode_of(int directory, const std::string& name) {
  struct stat status {};
  return ::fstatat(directory, name.c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0 ? status.st_mode : 0;
}

bool is_unneeded(const std::string& path) {
  const std::vector<std::string>& patterns = unneeded_paths();
  return std::any_of(patterns.begin(), patterns.end(), [&](const std::string& pattern) {
    return ::fnmatch(pattern.c_str(), path.c_str(), FNM_PATHNAME) == 0;
  });
}

class Trimmer {
 public:
  Trimmer(int root, const std::stop_token& stop) : root_(root), stop_(stop) {}

  // The top: programs and libraries, and of /etc what a guest is shown.
  void trim_top() {
    for (const std::string& name : names_in(root_, "of the image")) {
      const bool is_link = S_ISLNK(mode_of(root_, name));
      if (name == "usr" || name == "etc" || name == "opt") continue;
      if (!is_link || name.find("lib") == std::string::npos) {
        if (is_link && (name == "bin" || name == "sbin")) continue;
        remove_tree(root_, name);
      }
    }
    const Fd etc = open_below(root_, "etc");
    if (!etc) return;
    const std::vector<std::string>& kept = shared_etc_paths();
    for (const std::string& name : names_in(etc.get(), "etc")) {
      if (std::find(kept.begin(), kept.end(), "/etc/" + name) == kept.end()) {
        remove_tree(etc.get(), name);
      }
    }
  }

  void trim(int directory, const std::string& path) {
    if (stop_.stop_requested()) throw Error(errc::cancelled, "the build was stopped");
    for (const std::string& name : names_in(directory, path)) {
      const std::string inner = path + "/" + name;
      const mode_t mode = mode_of(directory, name);
      const bool odd = !S_ISDIR(mode) && !S_ISREG(mode) && !S_ISLNK(mode);
      if (odd || is_unneeded(inner)) {
        remove_tree(directory, name);
      } else if (S_ISDIR(mode)) {
        (void)::fchmodat(directory, name.c_str(), kDirectoryMode, 0);
        const Fd below = open_directory(directory, name);
        if (!below) throw_os_error("open " + inner, errno);
        trim(below.get(), inner);
      }
    }
  }

  // Links to what was trimmed away, also those to such links.
  void drop_dead_links(const std::string& path) {
    const Fd directory = open_below(root_, path);
    if (!directory) return;
    bool dropped = true;
    while (dropped) {
      dropped = false;
      for (const std::string& name : names_in(directory.get(), path)) {
        if (!S_ISLNK(mode_of(directory.get(), name)) || leads_somewhere(join_path(path, name))) {
          continue;
        }
        remove_tree(directory.get(), name);
        dropped = true;
      }
    }
  }

 private:
  [[nodiscard]] bool leads_somewhere(const std::string& path) const {
    return pin_path(root_, path, RESOLVE_IN_ROOT, true).error == 0;
  }

  int root_;
  const std::stop_token& stop_;
};

// What update-alternatives would choose, the fastest that is there: each library of these folders
// gets a link beside them, unless an earlier one gave it.
void link_libraries_of(int directory) {
  constexpr std::array<const char*, 8> kByPriority = {"openblas-pthread",
                                                      "openblas-openmp",
                                                      "openblas-serial",
                                                      "blis-pthread",
                                                      "blis-serial",
                                                      "atlas",
                                                      "blas",
                                                      "lapack"};
  for (const char* choice : kByPriority) {
    const Fd folder = open_directory(directory, choice);
    if (!folder) continue;
    for (const std::string& library : names_in(folder.get(), choice)) {
      if (::fnmatch("*.so.[0-9]", library.c_str(), 0) != 0 || mode_of(directory, library) != 0) {
        continue;
      }
      const std::string target = join_path(choice, library);
      if (::symlinkat(target.c_str(), directory, library.c_str()) != 0) {
        throw_os_error("make the link " + library, errno);
      }
    }
  }
}

void link_libraries(int root) {
  const Fd lib = open_below(root, "usr/lib");
  if (!lib) return;
  for (const std::string& name : names_in(lib.get(), "usr/lib")) {
    if (name.find("-linux-gnu") == std::string::npos) continue;
    const Fd directory = open_directory(lib.get(), name);
    if (directory) link_libraries_of(directory.get());
  }
}

}  // namespace

UnpackedPackages packages_in(int root) {
  UnpackedPackages found;
  const Fd cache = open_below(root, "var/cache/apt/archives");
  if (!cache) throw_os_error("find the packages that were unpacked", errno);
  for (const std::string& file : names_in(cache.get(), "of packages")) {
    if (!file.ends_with(".deb")) continue;
    const std::size_t first = file.find('_');
    const std::size_t last = file.rfind('_');
    if (first == std::string::npos || last == first) continue;
    std::string version = file.substr(first + 1, last - first - 1);
    if (const std::size_t colon = version.find("%3a"); colon != std::string::npos) {
      version.replace(colon, 3, ":");
    }
    const std::string architecture = file.substr(last + 1, file.size() - last - 5);
    if (architecture != "all") found.architecture = architecture;
    found.packages.emplace_back(file.substr(0, first), std::move(version));
  }
  std::sort(found.packages.begin(), found.packages.end());
  return found;
}

void trim_tree(int root, const std::stop_token& stop) {
  Trimmer trimmer(root, stop);
  trimmer.trim_top();
  for (const char* top : {"usr", "etc", "opt"}) {
    const Fd directory = open_below(root, top);
    if (directory) trimmer.trim(directory.get(), top);
  }
  link_libraries(root);
  for (const char* path : {"usr/bin", "usr/sbin"}) trimmer.drop_dead_links(path);
}

void add_made_files(int root, const std::vector<MadeFile>& files) {
  for (const auto& [path, content] : files) {
    const std::string relative(path.substr(1));
    const std::string folder = relative.substr(0, relative.rfind('/'));
    Fd directory = open_below(root, folder);
    if (!directory && errno == ENOENT) {
      const std::string above = folder.substr(0, folder.rfind('/'));
      const Fd parent = open_below(root, folder.find('/') == std::string::npos ? "." : above);
      if (!parent) throw_os_error("open " + above, errno);
      const std::string name = last_name_of(folder);
      if (::mkdirat(parent.get(), name.c_str(), kDirectoryMode) != 0) {
        throw_os_error("make " + folder, errno);
      }
      directory = open_directory(parent.get(), name);
    }
    if (!directory) throw_os_error("open " + folder, errno);
    const std::string name = last_name_of(relative);
    if (mode_of(directory.get(), name) == 0) write_whole(directory.get(), name, content, 0644);
  }
}

}  // namespace sandbox::runner
