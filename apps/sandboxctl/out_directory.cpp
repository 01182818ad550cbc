// The host directory that receives what a program left behind.
// SPDX-License-Identifier: MIT
#include "out_directory.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <system_error>
#include <vector>

#include "sandbox/error.hpp"
#include "sandbox/utf8.hpp"

namespace sandbox::ctl {
namespace {

constexpr mode_t kDirectoryMode = 0777;  // less the caller's umask, as for any file of theirs
constexpr mode_t kFileMode = 0666;

std::string message_of(int error) { return std::generic_category().message(error); }

[[noreturn]] void cannot_open(const std::string& path, int error) {
  const errc code = error == ENOTDIR || error == EEXIST ? errc::not_a_directory
                    : error == EACCES                   ? errc::permission_denied
                                                        : errc::os_error;
  throw Error(code,
              fmt::format("--out '{}': cannot make or open the directory: {}; nothing was run",
                          escape_for_terminal(path), message_of(error)));
}

// The parts of a plain relative path.
std::vector<std::string> parts_of(std::string_view name) {
  std::vector<std::string> parts;
  for (;;) {
    const std::size_t slash = name.find('/');
    const std::string_view part = name.substr(0, slash);
    if (part.empty() || part == "." || part == ".." || part.find('\0') != std::string_view::npos) {
      throw Error(errc::path_not_confined, "its name leaves the directory");
    }
    parts.emplace_back(part);
    if (slash == std::string_view::npos) return parts;
    name.remove_prefix(slash + 1);
  }
}

// Made when it is missing.
Descriptor enter(int parent, const std::string& name) {
  if (::mkdirat(parent, name.c_str(), kDirectoryMode) != 0 && errno != EEXIST) {
    throw Error(errc::os_error, "make its directory: " + message_of(errno));
  }
  constexpr int kFlags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
  Descriptor entered(::openat(parent, name.c_str(), kFlags));
  if (entered) return entered;
  if (errno == ELOOP || errno == ENOTDIR) {
    throw Error(errc::path_not_confined, "a link or a file stands where its directory should be");
  }
  throw Error(errc::os_error, "open its directory: " + message_of(errno));
}

Descriptor make_file(int directory, const std::string& name, Existing existing) {
  constexpr int kFlags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
  Descriptor made(::openat(directory, name.c_str(), kFlags, kFileMode));
  if (!made && errno == EEXIST && existing == Existing::replace) {
    if (::unlinkat(directory, name.c_str(), 0) != 0) {
      throw Error(errc::os_error, "replace what stands there: " + message_of(errno));
    }
    made = Descriptor(::openat(directory, name.c_str(), kFlags, kFileMode));
  }
  if (made) return made;
  if (errno == EEXIST && existing == Existing::keep) {
    throw Error(errc::os_error, "it exists already; --force replaces it");
  }
  throw Error(errc::os_error, "make the file: " + message_of(errno));
}

// 0, or the error.
int write_all(int file, std::string_view content) {
  while (!content.empty()) {
    const ssize_t wrote = ::write(file, content.data(), content.size());
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote < 0) return errno;
    content.remove_prefix(static_cast<std::size_t>(wrote));
  }
  return 0;
}

}  // namespace

OutDirectory::OutDirectory(const std::string& path, Existing existing) : existing_(existing) {
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (error) cannot_open(path, error.value());
  directory_ = Descriptor(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!directory_) cannot_open(path, errno);
}

void OutDirectory::write(std::string_view name, std::string_view content) const {
  std::vector<std::string> parts = parts_of(name);
  const std::string file_name = std::move(parts.back());
  parts.pop_back();
  Descriptor inner;
  int parent = directory_.get();
  for (const std::string& part : parts) {
    inner = enter(parent, part);
    parent = inner.get();
  }
  const Descriptor file = make_file(parent, file_name, existing_);
  if (const int error = write_all(file.get(), content); error != 0) {
    ::unlinkat(parent, file_name.c_str(), 0);
    throw Error(errc::os_error, "write the file: " + message_of(error));
  }
}

}  // namespace sandbox::ctl
