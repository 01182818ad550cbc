// An image's tree, compared with its manifest. Each directory is a piece of work of its own, so
// that a few threads share them; the entry that stands first in the manifest is the one told.
// SPDX-License-Identifier: MIT
#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <climits>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>

#include "directory_listing.hpp"
#include "image_tree.hpp"
#include "sandbox/digest.hpp"
#include "sandbox/error.hpp"
#include "sandbox/utf8.hpp"
#include "whole_file.hpp"

namespace sandbox::runner {
namespace {

constexpr unsigned kMostThreads = 4;
constexpr mode_t kPermissions = 07777;

// A directory with its own place in the manifest, and those of what it holds.
struct Folder {
  std::size_t own = ManifestEntry::kTop;
  std::vector<std::size_t> entries;
};

std::vector<Folder> folders_of(const Manifest& manifest) {
  const std::vector<ManifestEntry>& entries = manifest.entries();
  std::vector<Folder> folders(1);
  std::vector<std::size_t> folder_at(entries.size(), 0);
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const std::size_t parent = entries[i].parent;
    folders[parent == ManifestEntry::kTop ? 0 : folder_at[parent]].entries.push_back(i);
    if (entries[i].type != EntryType::directory) continue;
    folder_at[i] = folders.size();
    folders.emplace_back().own = i;
  }
  return folders;
}

std::string octal(mode_t mode) {
  std::string digits;
  for (int shift = 9; shift >= 0; shift -= 3) {
    digits += static_cast<char>('0' + ((mode >> static_cast<unsigned>(shift)) & 7U));
  }
  return digits;
}

mode_t type_bits(EntryType type) {
  if (type == EntryType::directory) return S_IFDIR;
  return type == EntryType::file ? S_IFREG : S_IFLNK;
}

class TreeCheck {
 public:
  TreeCheck(int root, const Manifest& manifest, Check check)
      : root_(root), manifest_(manifest), check_(check), folders_(folders_of(manifest)) {
    struct stat status {};
    if (::fstat(root, &status) != 0) throw_os_error("look at the image's root", errno);
    owner_ = status.st_uid;
    device_ = status.st_dev;
  }

  std::optional<std::string> run() {
    const unsigned count = std::clamp(std::thread::hardware_concurrency(), 1U, kMostThreads);
    {
      std::vector<std::jthread> helpers;
      for (unsigned i = 1; i < count; ++i) helpers.emplace_back([this] { work(); });
      work();
    }
    if (failure_) std::rethrow_exception(failure_);
    return difference_;
  }

 private:
  void work() noexcept {
    try {
      for (std::size_t i = next_++; i < folders_.size(); i = next_++) check_folder(folders_[i]);
    } catch (...) {
      const std::lock_guard lock(mutex_);
      failure_ = std::current_exception();
      next_ = folders_.size();
    }
  }

  // `place` orders the differences that several threads find.
  void tell(std::size_t place, std::string_view escaped_path, const std::string& what) {
    const std::lock_guard lock(mutex_);
    if (difference_ && place_ <= place) return;
    place_ = place;
    difference_ = escape_for_terminal(unescape_path(escaped_path)) + ": " + what;
  }

  [[nodiscard]] Fd open_folder(const Folder& folder) const {
    std::string path = ".";
    if (folder.own != ManifestEntry::kTop) {
      path = unescape_path(manifest_.entries()[folder.own].path);
    }
    open_how how{};
    how.flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
    how.resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_XDEV;
    return Fd(static_cast<int>(::syscall(SYS_openat2, root_, path.c_str(), &how, sizeof(how))));
  }

  void check_folder(const Folder& folder) {
    const bool is_root = folder.own == ManifestEntry::kTop;
    const std::size_t place = is_root ? 0 : folder.own;
    const std::string_view path = is_root ? "/" : manifest_.entries()[folder.own].path;
    const Fd directory = open_folder(folder);
    if (!directory) {
      return tell(place, path, "it cannot be read: " + std::generic_category().message(errno));
    }
    for (const std::size_t index : folder.entries) {
      const ManifestEntry& entry = manifest_.entries()[index];
      const std::string what = difference(directory.get(), entry);
      if (!what.empty()) tell(index, entry.path, what);
    }
    const std::vector<std::string> names = names_in(directory.get(), path);
    if (names.size() != folder.entries.size()) tell_added(folder, names, place, path);
  }

  void tell_added(const Folder& folder, const std::vector<std::string>& names, std::size_t place,
                  std::string_view path) {
    std::vector<std::string_view> known;
    known.reserve(folder.entries.size());
    for (const std::size_t i : folder.entries) known.push_back(manifest_.entries()[i].name());
    for (const std::string& name : names) {
      const std::string escaped = escape_path(name);
      if (std::find(known.begin(), known.end(), escaped) != known.end()) continue;
      return tell(place, path == "/" ? escaped : std::string(path) + "/" + escaped,
                  "it is not part of the image");
    }
  }

  // Empty: as recorded.
  [[nodiscard]] std::string difference(int directory, const ManifestEntry& entry) const {
    const std::string name = unescape_path(entry.name());
    struct stat status {};
    if (::fstatat(directory, name.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0) {
      return errno == ENOENT ? "it is missing" : std::generic_category().message(errno);
    }
    if ((status.st_mode & S_IFMT) != type_bits(entry.type)) return "it is of another type";
    if (status.st_uid != owner_) return "it belongs to another user";
    if (status.st_dev != device_) return "something is mounted there";
    if (status.st_mtim.tv_sec != manifest_.head().time) return "it was changed after the build";
    if (entry.type == EntryType::link) return difference_of_link(directory, name, entry);
    if ((status.st_mode & kPermissions) != entry.mode) {
      return "its mode is " + octal(status.st_mode) + ", not " + octal(entry.mode);
    }
    if (entry.type == EntryType::directory) return {};
    if (static_cast<std::uint64_t>(status.st_size) != entry.size) {
      return "its size is " + std::to_string(status.st_size) + ", not " +
             std::to_string(entry.size);
    }
    if (check_ == Check::quick) return {};
    return sha256_hex(read_whole(directory, name)) == entry.sha256 ? ""
                                                                   : "its content is another one";
  }

  static std::string difference_of_link(int directory, const std::string& name,
                                        const ManifestEntry& entry) {
    std::array<char, PATH_MAX> buffer{};
    const ssize_t length = ::readlinkat(directory, name.c_str(), buffer.data(), buffer.size());
    if (length < 0) return std::generic_category().message(errno);
    const std::string_view target(buffer.data(), static_cast<std::size_t>(length));
    return target == unescape_path(entry.target) ? "" : "the link leads elsewhere";
  }

  int root_;
  const Manifest& manifest_;
  Check check_;
  std::vector<Folder> folders_;
  uid_t owner_ = 0;
  dev_t device_ = 0;
  std::atomic<std::size_t> next_ = 0;
  std::mutex mutex_;
  std::size_t place_ = 0;
  std::optional<std::string> difference_;
  std::exception_ptr failure_;
};

}  // namespace

std::optional<std::string> difference_of(int root, const Manifest& manifest, Check check) {
  return TreeCheck(root, manifest, check).run();
}

}  // namespace sandbox::runner
