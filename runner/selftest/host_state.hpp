// What an attempt must leave on the host as it was, as far as it can be seen without privileges.
// SPDX-License-Identifier: MIT
#pragma once

#include <boost/asio/awaitable.hpp>
#include <cstddef>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace sandbox::runner {

// A file in a directory of its own that nobody but the host has any business with.
class CanaryFile {
 public:
  // Errors: errc::os_error.
  CanaryFile();
  CanaryFile(const CanaryFile&) = delete;
  CanaryFile& operator=(const CanaryFile&) = delete;
  CanaryFile(CanaryFile&&) = delete;
  CanaryFile& operator=(CanaryFile&&) = delete;
  ~CanaryFile();

  // Content, inode, owner, mode and time are as they were made, and nothing stands beside it.
  [[nodiscard]] bool unchanged() const;
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  [[nodiscard]] std::string facts() const;

  std::string directory_;
  std::string path_;
  std::string content_;
  std::string facts_;
};

// This process as it is now.
class HostState {
 public:
  static HostState now();
  // What is there now and was not then, a line each.
  [[nodiscard]] std::vector<std::string> added_since(const HostState& before) const;

 private:
  HostState() = default;

  std::set<std::string> descriptors_;  // "7 -> pipe:[1234]"
  std::set<int> processes_;            // alive below this one
  std::size_t mounts_ = 0;             // lines of /proc/self/mountinfo
};

class HostCanaries {
 public:
  HostCanaries() : state_(HostState::now()) {}

  // All that is not as before; waits for what is on its way out, 4 s at most.
  static boost::asio::awaitable<std::vector<std::string>> harm(
      std::shared_ptr<const HostCanaries> canaries);

 private:
  CanaryFile file_;
  HostState state_;
};

}  // namespace sandbox::runner
