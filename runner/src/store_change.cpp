// Images in the store: put in place and removed.
// SPDX-License-Identifier: MIT
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>

#include "directory_listing.hpp"
#include "host_path.hpp"
#include "image_place.hpp"
#include "sandbox/error.hpp"
#include "store_sweep.hpp"
#include "stored_image.hpp"
#include "tree_removal.hpp"

namespace sandbox::runner {
namespace {

int rename_in(int store, const std::string& from, const std::string& to, unsigned flags) {
  return ::renameat2(store, from.c_str(), store, to.c_str(), flags) == 0 ? 0 : errno;
}

// Some file systems cannot exchange; then there is a moment without an image.
void exchange(int store, const std::string& fresh, const std::string& name) {
  int error = rename_in(store, fresh, name, RENAME_EXCHANGE);
  if (error == EINVAL || error == ENOSYS) {
    const std::string aside = new_removed_name();
    error = rename_in(store, name, aside, 0);
    if (error == 0) error = rename_in(store, fresh, name, 0);
    if (error == 0) error = rename_in(store, aside, fresh, 0);
  }
  if (error != 0) throw_os_error("put the image '" + name + "' in place", error);
}

}  // namespace

bool remove_stored_image(const std::string& name) {
  const Fd store = open_store(IfMissing::none);
  struct stat status {};
  if (!store || ::fstatat(store.get(), name.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0) {
    throw Error(errc::image_unusable,
                "there is no image '" + name + "' in " + image_store_directory());
  }
  sweep_store(store.get());
  const std::string removed = new_removed_name();
  {
    const StoreLock lock(store.get());
    const int error = rename_in(store.get(), name, removed, 0);
    if (error != 0) throw_os_error("remove the image '" + name + "'", error);
  }
  return remove_if_unused(store.get(), removed);
}

Staging::Staging() : store_(open_store(IfMissing::make)), name_(new_building_name()) {
  sweep_store(store_.get());
  path_ = join_path(image_store_directory(), name_);
  const StoreLock lock(store_.get());
  if (::mkdirat(store_.get(), name_.c_str(), S_IRWXU) != 0) throw_os_error("make " + path_, errno);
  directory_ = open_directory(store_.get(), name_);
  if (!directory_ || ::flock(directory_.get(), LOCK_EX | LOCK_NB) != 0) {
    throw_os_error("lock " + path_, errno);
  }
}

void Staging::install(const std::string& name) {
  constexpr mode_t kReadableByAll = 0755;
  if (::fchmod(directory_.get(), kReadableByAll) != 0) throw_os_error("chmod " + path_, errno);
  {
    const StoreLock lock(store_.get());
    (void)::flock(directory_.get(), LOCK_UN);
    struct stat status {};
    const bool is_new = ::fstatat(store_.get(), name.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0;
    const int error = is_new ? rename_in(store_.get(), name_, name, 0) : EEXIST;
    if (error == 0) return;
    if (error != EEXIST) throw_os_error("put the image '" + name + "' in place", error);
    exchange(store_.get(), name_, name);
  }
  const std::string removed = new_removed_name();
  if (rename_in(store_.get(), name_, removed, 0) == 0) {
    (void)remove_if_unused(store_.get(), removed);
  }
}

void Staging::remove() { remove_tree(store_.get(), name_); }

}  // namespace sandbox::runner
