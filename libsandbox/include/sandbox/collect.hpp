// Brings back what a program left in its work directory.
// SPDX-License-Identifier: MIT
#pragma once

#include <boost/asio/awaitable.hpp>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "sandbox/sandbox.hpp"
#include "sandbox/transfer_limits.hpp"

namespace sandbox {

class CollectOptions {
 public:
  CollectOptions() = default;

  CollectOptions& limits(TransferLimits value);
  // Paths (relative to the work directory) that are not brought back, whole trees included.
  CollectOptions& skip(std::vector<std::string> paths);
  // Directories deeper than this are not entered. Default 16.
  CollectOptions& max_depth(std::uint32_t value);

  [[nodiscard]] const TransferLimits& limits() const { return limits_; }
  [[nodiscard]] const std::vector<std::string>& skipped_paths() const { return skip_; }
  [[nodiscard]] std::uint32_t max_depth() const { return max_depth_; }

 private:
  TransferLimits limits_;
  std::vector<std::string> skip_;
  std::uint32_t max_depth_ = 16;
};

// What was not brought back, and why; for people.
class CollectReport {
 public:
  std::vector<std::string> collected;  // in the order of delivery
  std::vector<std::string> skipped;    // "name: reason"
  bool capped = false;                 // a cap ended the collection early

  CollectReport() = default;
};

// Walks the tree below `working_directory` in bytewise order and hands every regular file to
// `deliver(relative path, content)`. Links, devices, sockets, FIFOs, `__pycache__` trees and names
// that are not UTF-8 or hold control characters are skipped and reported. The number of entries
// looked at is bounded too (64 times max_files).
// Errors: what the sandbox throws for anything but an entry that vanished, was replaced, grew over
// a cap or may not be read (those are skipped and reported), and what `deliver` throws.
boost::asio::awaitable<CollectReport> collect_files(
    std::shared_ptr<Sandbox> sandbox, std::string working_directory, CollectOptions options,
    std::function<void(const std::string& path, const std::string& content)> deliver);

}  // namespace sandbox
