// SPDX-License-Identifier: MIT
#include "uid_pool.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <random>
#include <system_error>

#include "sandbox/error.hpp"

namespace sandbox::runner {
namespace {

// A directory in which nobody else can put or take a name; empty when there is none to be had.
Fd open_private_directory(const std::string& path) {
  ::mkdir(path.c_str(), 0700);
  Fd directory(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  struct stat found {};
  if (!directory || ::fstat(directory.get(), &found) != 0) return Fd();
  const bool is_private = found.st_uid == ::geteuid() && (found.st_mode & 022U) == 0;
  const bool is_writable = ::faccessat(directory.get(), ".", W_OK, AT_EACCESS) == 0;
  return is_private && is_writable ? std::move(directory) : Fd();
}

}  // namespace

UidLease::UidLease(std::uint32_t uid, Fd lock, std::shared_ptr<std::set<std::uint32_t>> taken,
                   std::shared_ptr<std::mutex> mutex)
    : uid_(uid), lock_(std::move(lock)), taken_(std::move(taken)), mutex_(std::move(mutex)) {}

UidLease::~UidLease() {
  const std::lock_guard guard(*mutex_);
  lock_.reset();
  taken_->erase(uid_);
}

UidPool::UidPool(UidRange range, const std::string& lock_directory)
    : range_(range),
      path_(lock_directory),
      directory_(open_private_directory(lock_directory)),
      taken_(std::make_shared<std::set<std::uint32_t>>()),
      mutex_(std::make_shared<std::mutex>()) {
  // Without locks, two processes should at least not begin at the same uid.
  if (!directory_ && range_.count > 0) next_ = std::random_device()() % range_.count;
}

std::unique_ptr<UidLease> UidPool::take() {
  const std::lock_guard guard(*mutex_);
  for (std::uint32_t tried = 0; tried < range_.count; ++tried) {
    // Round and round, so that a uid rests for as long as it can.
    const std::uint32_t uid = range_.first + next_;
    next_ = (next_ + 1) % range_.count;
    if (taken_->contains(uid)) continue;
    Fd lock;
    if (directory_) {
      const std::string name = std::to_string(uid);
      lock = Fd(::openat(directory_.get(), name.c_str(),
                         O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK, 0600));
      const bool is_short = errno == EMFILE || errno == ENFILE || errno == ENOSPC ||
                            errno == EROFS || errno == ENOMEM;
      if (!lock && is_short) {
        throw Error(errc::setup_failed, "lock uid " + name + " in " + path_ + ": " +
                                            std::generic_category().message(errno));
      }
      // In use, or something odd lies in its place.
      if (!lock || ::flock(lock.get(), LOCK_EX | LOCK_NB) != 0) continue;
    }
    taken_->insert(uid);
    return std::make_unique<UidLease>(uid, std::move(lock), taken_, mutex_);
  }
  throw Error(errc::too_many, "all " + std::to_string(range_.count) + " uids for guests, from " +
                                  std::to_string(range_.first) +
                                  " on, are in use by live sandboxes; dispose some, or set "
                                  "outside_uid to share one among all");
}

}  // namespace sandbox::runner
