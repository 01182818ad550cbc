// An image's tree, brought into its final form.
// SPDX-License-Identifier: MIT
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <ctime>

#include "directory_listing.hpp"
#include "image_tree.hpp"
#include "sandbox/digest.hpp"
#include "sandbox/error.hpp"
#include "whole_file.hpp"

namespace sandbox::runner {
namespace {

constexpr mode_t kReadOnly = 0444;
constexpr mode_t kReadOnlyToRun = 0555;

class Sealer {
 public:
  Sealer(std::int64_t time, const std::stop_token& stop, ManifestWriter& manifest)
      : time_(time), stop_(stop), manifest_(manifest) {}

  // `path` is the directory's own, escaped; empty for the root.
  void seal_directory(int directory, const std::string& path) {
    std::vector<std::string> names = names_in(directory, path.empty() ? "/" : path);
    const auto less = [](const std::string& a, const std::string& b) {
      return path_less(escape_path(a), escape_path(b));
    };
    std::sort(names.begin(), names.end(), less);
    for (const std::string& name : names) {
      if (stop_.stop_requested()) throw Error(errc::cancelled, "the build was stopped");
      const std::string escaped = escape_path(name);
      seal(directory, name, path.empty() ? escaped : path + "/" + escaped);
    }
    if (::fchmod(directory, kReadOnlyToRun) != 0) throw_os_error("chmod " + path, errno);
    set_time(directory, ".", path);
  }

 private:
  void seal(int directory, const std::string& name, const std::string& path) {
    struct stat status {};
    if (::fstatat(directory, name.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0) {
      throw_os_error("look at " + path, errno);
    }
    // Of another owner only when root unpacked it; then the mode loses set-user-ID bits as well.
    const bool foreign = status.st_uid != ::geteuid() || status.st_gid != ::getegid();
    if (foreign &&
        ::fchownat(directory, name.c_str(), ::geteuid(), ::getegid(), AT_SYMLINK_NOFOLLOW) != 0) {
      throw_os_error("chown " + path, errno);
    }
    if (S_ISLNK(status.st_mode)) return seal_link(directory, name, path);
    if (S_ISREG(status.st_mode)) return seal_file(directory, name, path, status);
    if (!S_ISDIR(status.st_mode)) {
      throw Error(errc::os_error, path + " is neither a directory, a file nor a link");
    }
    (void)::fchmodat(directory, name.c_str(), S_IRWXU, 0);
    const Fd inner = open_directory(directory, name);
    if (!inner) throw_os_error("open the directory " + path, errno);
    ManifestEntry entry;
    entry.mode = kReadOnlyToRun;
    entry.path = path;
    manifest_.add(entry);
    seal_directory(inner.get(), path);
  }

  void seal_link(int directory, const std::string& name, const std::string& path) {
    std::array<char, PATH_MAX> buffer{};
    const ssize_t length = ::readlinkat(directory, name.c_str(), buffer.data(), buffer.size());
    if (length < 0) throw_os_error("read the link " + path, errno);
    const std::string target =
        escape_path(std::string_view(buffer.data(), static_cast<std::size_t>(length)));
    ManifestEntry entry;
    entry.type = EntryType::link;
    entry.target = target;
    entry.path = path;
    manifest_.add(entry);
    set_time(directory, name, path);
  }

  void seal_file(int directory, const std::string& name, const std::string& path,
                 const struct stat& status) {
    const bool to_run = (status.st_mode & (S_IXUSR | S_IXGRP | S_IXOTH)) != 0;
    const mode_t mode = to_run ? kReadOnlyToRun : kReadOnly;
    if (::fchmodat(directory, name.c_str(), mode, 0) != 0) throw_os_error("chmod " + path, errno);
    const std::string content = read_whole(directory, name);
    const std::string hash = sha256_hex(content);
    ManifestEntry entry;
    entry.type = EntryType::file;
    entry.mode = mode;
    entry.size = content.size();
    entry.sha256 = hash;
    entry.path = path;
    manifest_.add(entry);
    set_time(directory, name, path);
  }

  void set_time(int directory, const std::string& name, const std::string& path) const {
    const timespec when{static_cast<std::time_t>(time_), 0};
    const std::array<timespec, 2> times{when, when};
    if (::utimensat(directory, name.c_str(), times.data(), AT_SYMLINK_NOFOLLOW) != 0) {
      throw_os_error("set the time of " + path, errno);
    }
  }

  std::int64_t time_;
  const std::stop_token& stop_;
  ManifestWriter& manifest_;
};

}  // namespace

void seal_tree(int root, std::int64_t time, const std::stop_token& stop, ManifestWriter& manifest) {
  Sealer(time, stop, manifest).seal_directory(root, "");
}

}  // namespace sandbox::runner
