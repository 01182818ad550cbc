// Unprivileged uids for the guests of a root-launched host, one for each live sandbox.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <set>
#include <string>

#include "fd.hpp"
#include "outside_identity.hpp"

namespace sandbox::runner {

// One uid, until it is destroyed.
class UidLease {
 public:
  UidLease(std::uint32_t uid, Fd lock, std::shared_ptr<std::set<std::uint32_t>> taken,
           std::shared_ptr<std::mutex> mutex);
  UidLease(const UidLease&) = delete;
  UidLease& operator=(const UidLease&) = delete;
  UidLease(UidLease&&) = delete;
  UidLease& operator=(UidLease&&) = delete;
  ~UidLease();

  [[nodiscard]] std::uint32_t uid() const { return uid_; }

 private:
  std::uint32_t uid_;
  Fd lock_;
  std::shared_ptr<std::set<std::uint32_t>> taken_;
  std::shared_ptr<std::mutex> mutex_;
};

// Other processes on the machine draw from the same range, so each uid in use is locked as a file
// of `lock_directory`; the kernel lets the lock go however its owner ends.
//
// Thread safety: all methods may be called from any thread. They touch the file system.
class UidPool {
 public:
  static constexpr const char* kLockDirectory = "/run/libsandbox";

  UidPool(UidRange range, const std::string& lock_directory);

  // False where the directory cannot be had: then only this process's own sandboxes are told apart.
  [[nodiscard]] bool is_shared() const { return static_cast<bool>(directory_); }

  // Errors: errc::too_many when every uid of the range is in use; errc::setup_failed when a lock
  // cannot be made.
  std::unique_ptr<UidLease> take();

 private:
  UidRange range_;
  std::string path_;
  Fd directory_;
  std::uint32_t next_ = 0;
  std::shared_ptr<std::set<std::uint32_t>> taken_;
  std::shared_ptr<std::mutex> mutex_;
};

}  // namespace sandbox::runner
