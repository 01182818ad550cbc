// Where a path of the host really leads, and what stands there.
// SPDX-License-Identifier: MIT
#include "host_path.hpp"

#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <deque>
#include <memory>
#include <system_error>

namespace sandbox::runner {
namespace {

constexpr std::size_t kMaxLinks = 40;  // as the kernel's MAXSYMLINKS, path_resolution(7)

std::vector<std::string> components_of(std::string_view path) {
  std::vector<std::string> parts;
  std::size_t begin = 0;
  while (begin < path.size()) {
    const std::size_t end = std::min(path.find('/', begin), path.size());
    const std::string_view part = path.substr(begin, end - begin);
    if (!part.empty() && part != ".") parts.emplace_back(part);
    begin = end + 1;
  }
  return parts;
}

std::string message_of(int error) { return std::generic_category().message(error); }

// Empty with errno set when it cannot be read.
std::string read_link(int at, const char* path) {
  std::array<char, PATH_MAX> buffer{};
  const ssize_t length = ::readlinkat(at, path, buffer.data(), buffer.size());
  if (length < 0) return {};
  return {buffer.data(), static_cast<std::size_t>(length)};
}

// "a/../b" needs `a` to exist where the link is read; a guest may have no `a`.
bool descends_before_parent(std::string_view target) {
  bool descended = false;
  for (const std::string& part : components_of(target)) {
    if (part == ".." && descended) return true;
    descended = descended || part != "..";
  }
  return false;
}

std::string portable_target(const std::string& directory, const std::string& target) {
  if (!descends_before_parent(target)) return target;
  const std::string from = target.front() == '/' ? target : join_path(directory, target);
  struct Free {
    void operator()(char* text) const { std::free(text); }  // NOLINT: realpath(3) allocates
  };
  const std::unique_ptr<char, Free> real(::realpath(from.c_str(), nullptr));
  return real ? std::string(real.get()) : target;
}

}  // namespace

HostWalk walk_host_path(std::string_view path) {
  HostWalk walk;
  const std::vector<std::string> first = components_of(path);
  std::deque<std::string> todo(first.begin(), first.end());
  while (!todo.empty()) {
    const std::string name = todo.front();
    todo.pop_front();
    if (name == "..") {
      walk.real_path = parent_of(walk.real_path);
      continue;
    }
    const std::string here = join_path(walk.real_path, name);
    struct stat status {};
    if (::lstat(here.c_str(), &status) != 0) {
      walk.failure = here + ": " + message_of(errno);
      return walk;
    }
    if (!S_ISLNK(status.st_mode)) {
      walk.real_path = here;
      continue;
    }
    const std::string target = read_link(AT_FDCWD, here.c_str());
    if (target.empty()) {
      walk.failure = here + ": the link cannot be read";
      return walk;
    }
    if (walk.links.size() == kMaxLinks) {
      walk.failure = here + ": " + message_of(ELOOP);
      return walk;
    }
    walk.links.push_back(ImageLink{here, portable_target(walk.real_path, target)});
    if (target.front() == '/') walk.real_path.resize(1);  // "/"
    const std::vector<std::string> parts = components_of(target);
    todo.insert(todo.begin(), parts.begin(), parts.end());
  }
  return walk;
}

PinnedPath pin_path(int at, const std::string& path, std::uint64_t resolve, bool follow_last) {
  PinnedPath pin;
  open_how how{};
  how.flags = O_PATH | O_CLOEXEC;
  if (!follow_last) how.flags |= O_NOFOLLOW;
  how.resolve = resolve;
  pin.descriptor =
      Fd(static_cast<int>(::syscall(SYS_openat2, at, path.c_str(), &how, sizeof(how))));
  struct stat status {};
  if (!pin.descriptor || ::fstat(pin.descriptor.get(), &status) != 0) {
    pin.error = errno;
    return pin;
  }
  pin.mode = status.st_mode;
  pin.device = status.st_dev;
  pin.inode = status.st_ino;
  return pin;
}

std::string path_of_descriptor(int descriptor) {
  const std::string name = join_path("/proc/self/fd", std::to_string(descriptor));
  return read_link(AT_FDCWD, name.c_str());
}

bool is_within(std::string_view path, std::string_view directory) {
  if (directory == "/") return true;
  return path.starts_with(directory) &&
         (path.size() == directory.size() || path[directory.size()] == '/');
}

std::string join_path(std::string_view directory, std::string_view name) {
  std::string result(directory);
  if (!directory.ends_with('/')) result.append("/");
  return result.append(name);
}

std::string parent_of(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  if (slash == std::string_view::npos || slash == 0) return "/";
  return std::string(path.substr(0, slash));
}

std::string last_name_of(std::string_view path) {
  return std::string(path.substr(path.rfind('/') + 1));
}

std::string without_dots(std::string_view path) {
  std::string result;
  for (const std::string& part : components_of(path)) result.append("/").append(part);
  return result.empty() ? "/" : result;
}

bool has_control_characters(std::string_view text) {
  return std::any_of(text.begin(), text.end(), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte < 0x20 || byte == 0x7f;
  });
}

}  // namespace sandbox::runner
