// The names in a directory, read through a descriptor.
// SPDX-License-Identifier: MIT
#include "directory_listing.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <memory>
#include <system_error>

#include "sandbox/error.hpp"

namespace sandbox::runner {
namespace {

struct CloseDirectory {
  void operator()(DIR* directory) const { ::closedir(directory); }
};

}  // namespace

void throw_os_error(const std::string& action, int error) {
  throw Error(errc::os_error, action + ": " + std::generic_category().message(error));
}

Fd open_directory(int parent, const std::string& name) {
  return Fd(::openat(parent, name.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
}

std::vector<std::string> names_in(int directory, std::string_view what) {
  Fd own = open_directory(directory, ".");
  const std::unique_ptr<DIR, CloseDirectory> stream(own ? ::fdopendir(own.get()) : nullptr);
  if (!stream) throw_os_error("read the directory " + std::string(what), errno);
  (void)own.release();  // the stream's from here on
  std::vector<std::string> names;
  errno = 0;
  while (const dirent* entry = ::readdir(stream.get())) {
    const std::string_view name = static_cast<const char*>(entry->d_name);
    if (name != "." && name != "..") names.emplace_back(name);
    errno = 0;
  }
  if (errno != 0) throw_os_error("read the directory " + std::string(what), errno);
  return names;
}

}  // namespace sandbox::runner
