// Files that are read and written as a whole.
// SPDX-License-Identifier: MIT
#include "whole_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "directory_listing.hpp"
#include "fd.hpp"
#include "sandbox/error.hpp"

namespace sandbox::runner {

std::string read_whole(int directory, const std::string& name, std::size_t limit) {
  constexpr int kFlags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC;
  const Fd file(::openat(directory, name.c_str(), kFlags));
  struct stat status {};
  if (!file || ::fstat(file.get(), &status) != 0) throw_os_error("read " + name, errno);
  if (!S_ISREG(status.st_mode)) throw Error(errc::os_error, "read " + name + ": it is no file");
  if (static_cast<std::size_t>(status.st_size) > limit) {
    throw Error(errc::too_large, "read " + name + ": it is too large to be one of ours");
  }
  std::string content(static_cast<std::size_t>(status.st_size), '\0');
  std::size_t filled = 0;
  while (filled < content.size()) {
    const ssize_t count = ::read(file.get(), content.data() + filled, content.size() - filled);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) throw_os_error("read " + name, errno);
    if (count == 0) break;
    filled += static_cast<std::size_t>(count);
  }
  content.resize(filled);
  return content;
}

void write_whole(int directory, const std::string& name, std::string_view content, unsigned mode) {
  constexpr int kFlags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
  const Fd file(::openat(directory, name.c_str(), kFlags, mode));
  if (!file) throw_os_error("make the file " + name, errno);
  while (!content.empty()) {
    const ssize_t count = ::write(file.get(), content.data(), content.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) throw_os_error("write the file " + name, errno);
    content.remove_prefix(static_cast<std::size_t>(count));
  }
}

}  // namespace sandbox::runner
