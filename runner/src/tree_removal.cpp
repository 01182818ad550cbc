// Removes directory trees of our own.
// SPDX-License-Identifier: MIT
#include "tree_removal.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "directory_listing.hpp"

namespace sandbox::runner {
namespace {

// A directory that its owner may read, pass and write to.
Fd open_for_removal(int parent, const std::string& name) {
  Fd directory = open_directory(parent, name);
  struct stat status {};
  if (directory && ::fstat(directory.get(), &status) == 0) {
    if ((status.st_mode & S_IRWXU) != S_IRWXU) (void)::fchmod(directory.get(), S_IRWXU);
    return directory;
  }
  if (errno != EACCES) return directory;
  // Closed to ourselves. What stands there is looked at first, as chmod follows links.
  const Fd there(::openat(parent, name.c_str(), O_PATH | O_NOFOLLOW | O_DIRECTORY | O_CLOEXEC));
  if (!there) return directory;
  const std::string by_descriptor = "/proc/self/fd/" + std::to_string(there.get());
  if (::chmod(by_descriptor.c_str(), S_IRWXU) != 0) return directory;
  return open_directory(parent, name);
}

}  // namespace

void remove_tree(int parent, const std::string& name) {
  if (::unlinkat(parent, name.c_str(), 0) == 0 || errno == ENOENT) return;
  const int error = errno;
  if (error != EISDIR && error != EPERM) throw_os_error("remove " + name, error);
  {
    const Fd directory = open_for_removal(parent, name);
    if (!directory) throw_os_error("remove " + name, errno);
    for (const std::string& inner : names_in(directory.get(), name)) {
      remove_tree(directory.get(), inner);
    }
  }
  if (::unlinkat(parent, name.c_str(), AT_REMOVEDIR) != 0 && errno != ENOENT) {
    throw_os_error("remove " + name, errno);
  }
}

}  // namespace sandbox::runner
