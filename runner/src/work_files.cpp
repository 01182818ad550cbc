// SPDX-License-Identifier: MIT
#include "work_files.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/fsuid.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <memory>
#include <system_error>

#include "sandbox/error.hpp"
#include "sandbox/path.hpp"
#include "sandbox/utf8.hpp"

namespace sandbox::runner {
namespace {

constexpr std::size_t kMaxEntries = 100000;
constexpr int kBusyRetries = 32;

[[noreturn]] void throw_for(int error, const std::string& doing, const std::string& shown) {
  errc code = errc::os_error;
  std::string why = std::generic_category().message(error);
  switch (error) {
    case ELOOP:
    case EXDEV:
    case EAGAIN:
      // A link (or another mount) on the way, or one that keeps moving in and out of it: an escape.
      code = errc::path_not_confined;
      why = "a link or a mount point stands on the path, and none is followed";
      break;
    case ENOENT:
      code = errc::not_found;
      break;
    case ENOTDIR:
      code = errc::not_a_directory;
      break;
    case EISDIR:
      code = errc::is_a_directory;
      break;
    case EACCES:
    case EPERM:
      code = errc::permission_denied;
      break;
    case ENOSPC:
    case EDQUOT:
      code = errc::too_large;
      why = "the work directory is full; give it more room (work_size) or write less";
      break;
    case EMFILE:
    case ENFILE:
      code = errc::too_many;
      break;
    default:
      break;
  }
  throw Error(code, doing + " '" + escape_for_terminal(shown) + "': " + why);
}

// openat2(2) below `root`, through no link, no magic link and no other mount.
Fd open_confined(int root, const std::string& path, int flags, int& error) {
  open_how how{};
  how.flags = static_cast<std::uint64_t>(flags | O_CLOEXEC);
  how.resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS | RESOLVE_NO_XDEV;
  const char* name = path.empty() ? "." : path.c_str();
  for (int attempt = 0; attempt < kBusyRetries; ++attempt) {
    const long opened = ::syscall(SYS_openat2, root, name, &how, sizeof how);
    if (opened >= 0) return Fd(static_cast<int>(opened));
    error = errno;
    if (error != EAGAIN && error != EINTR) break;
  }
  return {};
}

EntryKind kind_of(mode_t mode) {
  if (S_ISREG(mode)) return EntryKind::file;
  if (S_ISDIR(mode)) return EntryKind::directory;
  if (S_ISLNK(mode)) return EntryKind::symlink;
  return EntryKind::other;
}

SandboxEntry make_entry(std::string path, const struct stat& found) {
  const EntryKind kind = kind_of(found.st_mode);
  std::optional<std::uint64_t> size;
  if (kind == EntryKind::file) size = static_cast<std::uint64_t>(found.st_size);
  return {std::move(path), kind, size};
}

std::pair<std::string, std::string> split_leaf(const std::string& below_root) {
  const std::size_t slash = below_root.rfind('/');
  if (slash == std::string::npos) return {std::string(), below_root};
  return {below_root.substr(0, slash), below_root.substr(slash + 1)};
}

std::string temporary_name() {
  std::array<unsigned char, 8> random{};
  if (::getrandom(random.data(), random.size(), 0) != static_cast<ssize_t>(random.size())) {
    throw_errno("get random bytes", errno);
  }
  std::string name = ".incoming-";
  constexpr std::string_view kDigits = "0123456789abcdef";
  for (const unsigned char byte : random) {
    name += kDigits[byte >> 4U];
    name += kDigits[byte & 15U];
  }
  return name;
}

void write_all(int file, const std::string& content, const std::string& shown) {
  const char* from = content.data();
  for (std::size_t left = content.size(); left > 0;) {
    const ssize_t wrote = ::write(file, from, left);
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote < 0) throw_for(errno, "write", shown);
    from += wrote;
    left -= static_cast<std::size_t>(wrote);
  }
}

// The very inode of an O_PATH descriptor, opened for reading without a second walk.
Fd reopen_for_reading(const Fd& found, const std::string& shown) {
  const std::string path = "/proc/self/fd/" + std::to_string(found.get());
  Fd reader(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
  if (!reader) throw_for(errno, "read", shown);
  return reader;
}

// Up to one byte more than `max_bytes`: enough to know that there is too much. A size that stat
// tells is only a hint, as the file may grow or be sparse.
std::string read_bounded(int file, std::uint64_t max_bytes, const std::string& shown) {
  std::string content;
  std::array<char, std::size_t{64} << 10U> buffer{};
  while (content.size() <= max_bytes) {
    const std::uint64_t left = max_bytes - content.size();
    const std::size_t room = left < buffer.size() ? left + 1 : buffer.size();
    const ssize_t got = ::read(file, buffer.data(), room);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw_for(errno, "read", shown);
    if (got == 0) break;
    content.append(buffer.data(), static_cast<std::size_t>(got));
  }
  return content;
}

[[noreturn]] void throw_over_cap(const std::string& shown, std::uint64_t max_bytes) {
  throw Error(errc::transfer_cap_exceeded, "read '" + escape_for_terminal(shown) +
                                               "': it is larger than the cap of " +
                                               std::to_string(max_bytes) + " bytes");
}

// File access of this thread as another user while it lives; nothing without an owner.
class ActingAs {
 public:
  explicit ActingAs(const std::optional<FileOwner>& owner) {
    if (!owner) return;
    gid_ = ::setfsgid(owner->gid);
    uid_ = ::setfsuid(owner->uid);
    // These calls do not say whether they worked; asking with an invalid id tells what holds.
    const bool changed = static_cast<std::uint32_t>(::setfsuid(kInvalidId)) == owner->uid &&
                         static_cast<std::uint32_t>(::setfsgid(kInvalidId)) == owner->gid;
    is_active_ = true;
    if (changed) return;
    restore();
    throw Error(errc::internal, "take the guest's user for file access: the kernel refused");
  }
  ActingAs(const ActingAs&) = delete;
  ActingAs& operator=(const ActingAs&) = delete;
  ActingAs(ActingAs&&) = delete;
  ActingAs& operator=(ActingAs&&) = delete;
  ~ActingAs() { restore(); }

 private:
  static constexpr std::uint32_t kInvalidId = ~0U;

  void restore() {
    if (!is_active_) return;
    is_active_ = false;
    ::setfsuid(static_cast<uid_t>(uid_));
    ::setfsgid(static_cast<gid_t>(gid_));
  }

  bool is_active_ = false;
  int uid_ = 0;
  int gid_ = 0;
};

struct CloseDirectory {
  void operator()(DIR* directory) const { ::closedir(directory); }
};

Fd make_directory_at(int parent, const std::string& name, const std::string& shown) {
  if (::mkdirat(parent, name.c_str(), 0755) != 0 && errno != EEXIST) {
    throw_for(errno, "make the directory", shown);
  }
  int error = 0;
  Fd made = open_confined(parent, name, O_PATH | O_DIRECTORY, error);
  if (!made) throw_for(error, "open the directory", shown);
  return made;
}

void replace_file(int parent, const std::string& name, const std::string& content,
                  const std::string& shown) {
  const std::string temporary = temporary_name();
  const Fd file(::openat(parent, temporary.c_str(),
                         O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644));
  if (!file) throw_for(errno, "write", shown);
  try {
    write_all(file.get(), content, shown);
    // Whatever the host's umask.
    if (::fchmod(file.get(), 0644) != 0) throw_for(errno, "write", shown);
    // What stands there by now is replaced, never followed.
    if (::renameat(parent, temporary.c_str(), parent, name.c_str()) != 0) {
      throw_for(errno, "write", shown);
    }
  } catch (...) {
    ::unlinkat(parent, temporary.c_str(), 0);
    throw;
  }
}

}  // namespace

WorkFiles::WorkFiles(Fd root, std::string guest_path, std::optional<FileOwner> owner)
    : root_(std::move(root)), guest_path_(std::move(guest_path)), owner_(owner) {}

WorkFiles::Place WorkFiles::place(const std::string& path,
                                  const std::string& working_directory) const {
  const Result<std::string> confined = confine(path, working_directory);
  if (!confined) {
    throw Error(errc::path_not_confined,
                "'" + escape_for_terminal(path) + "' does not stay in the working directory '" +
                    escape_for_terminal(working_directory) +
                    "': name a path below it, with '/' and without NUL, in UTF-8");
  }
  const std::string& absolute = *confined;
  const std::optional<std::string> below = relative_to(absolute, guest_path_);
  if (!below) {
    throw Error(errc::path_not_confined, "'" + escape_for_terminal(absolute) +
                                             "' is not below this sandbox's work directory '" +
                                             guest_path_ + "', which is all that the host reaches");
  }
  Place place;
  place.below_root = *below;
  place.reported = relative_to(absolute, working_directory).value_or("");
  place.is_working_directory = place.reported.empty();
  return place;
}

Fd WorkFiles::open_below(const std::string& below_root, int flags, const std::string& shown) const {
  int error = 0;
  Fd opened = open_confined(root_.get(), below_root, flags, error);
  if (!opened) throw_for(error, "open", shown);
  return opened;
}

Fd WorkFiles::open_or_make_directory(const std::string& below_root) const {
  constexpr int kDirectory = O_PATH | O_DIRECTORY;
  int error = 0;
  Fd found = open_confined(root_.get(), below_root, kDirectory, error);
  if (found) return found;
  if (error != ENOENT) throw_for(error, "open the directory", below_root);

  Fd current = open_below("", kDirectory, below_root);
  std::size_t start = 0;
  while (start < below_root.size()) {
    const std::size_t end = std::min(below_root.find('/', start), below_root.size());
    const std::string name = below_root.substr(start, end - start);
    Fd next = open_confined(current.get(), name, kDirectory, error);
    if (!next && error == ENOENT) next = make_directory_at(current.get(), name, below_root);
    if (!next) throw_for(error, "open the directory", below_root);
    current = std::move(next);
    start = end + 1;
  }
  return current;
}

void WorkFiles::write_file(const std::string& path, const std::string& content,
                           const std::string& working_directory) const {
  const ActingAs as(owner_);
  const Place where = place(path, working_directory);
  if (where.is_working_directory) {
    throw Error(errc::path_not_confined,
                "write '" + escape_for_terminal(path) + "': this is the working directory itself");
  }
  const auto [parent_path, name] = split_leaf(where.below_root);
  const Fd parent = open_or_make_directory(parent_path);
  struct stat leaf {};
  if (::fstatat(parent.get(), name.c_str(), &leaf, AT_SYMLINK_NOFOLLOW) == 0) {
    if (S_ISLNK(leaf.st_mode)) throw_for(ELOOP, "write", path);
    if (S_ISDIR(leaf.st_mode)) throw_for(EISDIR, "write", path);
    if (!S_ISREG(leaf.st_mode)) {
      throw Error(errc::os_error, "write '" + escape_for_terminal(path) +
                                      "': a device, socket or FIFO stands there");
    }
  } else if (errno != ENOENT) {
    throw_for(errno, "write", path);
  }
  replace_file(parent.get(), name, content, path);
}

std::optional<SandboxEntry> WorkFiles::stat_file(const std::string& path,
                                                 const std::string& working_directory) const {
  const ActingAs as(owner_);
  const Place where = place(path, working_directory);
  int error = 0;
  const Fd found = open_confined(root_.get(), where.below_root, O_PATH | O_NOFOLLOW, error);
  if (!found && error == ENOENT) return std::nullopt;
  if (!found) throw_for(error, "look at", path);
  struct stat described {};
  if (::fstat(found.get(), &described) != 0) throw_for(errno, "look at", path);
  return make_entry(where.reported, described);
}

std::string WorkFiles::read_file(const std::string& path, const std::string& working_directory,
                                 std::uint64_t max_bytes) const {
  const ActingAs as(owner_);
  const Place where = place(path, working_directory);
  const Fd found = open_below(where.below_root, O_PATH | O_NOFOLLOW, path);
  struct stat described {};
  if (::fstat(found.get(), &described) != 0) throw_for(errno, "read", path);
  if (S_ISDIR(described.st_mode)) throw_for(EISDIR, "read", path);
  if (!S_ISREG(described.st_mode)) {
    throw Error(errc::os_error, "read '" + escape_for_terminal(path) +
                                    "': it is a link, device, socket or FIFO, not a regular file");
  }
  if (static_cast<std::uint64_t>(described.st_size) > max_bytes) throw_over_cap(path, max_bytes);
  const Fd reader = reopen_for_reading(found, path);
  std::string content = read_bounded(reader.get(), max_bytes, path);
  if (content.size() > max_bytes) throw_over_cap(path, max_bytes);
  return content;
}

std::vector<SandboxEntry> WorkFiles::list_dir(const std::string& path,
                                              const std::string& working_directory) const {
  const ActingAs as(owner_);
  const Place where = place(path, working_directory);
  Fd opened = open_below(where.below_root, O_RDONLY | O_DIRECTORY | O_NOFOLLOW, path);
  const std::unique_ptr<DIR, CloseDirectory> directory(::fdopendir(opened.get()));
  if (!directory) throw_for(errno, "list", path);
  const int descriptor = opened.release();  // the stream owns it now

  std::vector<SandboxEntry> entries;
  errno = 0;
  while (const dirent* next = ::readdir(directory.get())) {
    const std::string name = &next->d_name[0];
    if (name == "." || name == "..") continue;
    if (entries.size() >= kMaxEntries) {
      throw Error(errc::too_many, "list '" + escape_for_terminal(path) + "': more than " +
                                      std::to_string(kMaxEntries) + " entries");
    }
    struct stat described {};
    // One that vanished in between was not there.
    if (::fstatat(descriptor, name.c_str(), &described, AT_SYMLINK_NOFOLLOW) == 0) {
      const std::string& base = where.reported;
      entries.push_back(make_entry(base.empty() ? name : base + "/" + name, described));
    }
    errno = 0;
  }
  if (errno != 0) throw_for(errno, "list", path);
  std::sort(entries.begin(), entries.end(),
            [](const SandboxEntry& a, const SandboxEntry& b) { return a.path() < b.path(); });
  return entries;
}

}  // namespace sandbox::runner
