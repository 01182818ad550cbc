// Caps on files that cross the boundary in one direction (contract section 1.2).
// SPDX-License-Identifier: MIT
#pragma once

#include <compare>
#include <cstdint>

#include "sandbox/units.hpp"

namespace sandbox {

// One direction's caps for one collection. The default (8 MiB a file, 32 MiB in all, 64 files) is
// both what a silent spec asks and what a silent backend is read as serving.
class TransferLimits {
 public:
  constexpr TransferLimits() = default;
  constexpr TransferLimits(Bytes max_bytes_per_file, Bytes max_total_bytes, std::uint32_t max_files)
      : max_bytes_per_file_(max_bytes_per_file),
        max_total_bytes_(max_total_bytes),
        max_files_(max_files) {}

  [[nodiscard]] constexpr Bytes max_bytes_per_file() const { return max_bytes_per_file_; }
  [[nodiscard]] constexpr Bytes max_total_bytes() const { return max_total_bytes_; }
  [[nodiscard]] constexpr std::uint32_t max_files() const { return max_files_; }

  // True when no cap is above the ceiling's; equality passes (PIN-7).
  [[nodiscard]] constexpr bool within(const TransferLimits& ceiling) const {
    return max_bytes_per_file_ <= ceiling.max_bytes_per_file_ &&
           max_total_bytes_ <= ceiling.max_total_bytes_ && max_files_ <= ceiling.max_files_;
  }

  friend constexpr bool operator==(const TransferLimits&, const TransferLimits&) = default;

 private:
  Bytes max_bytes_per_file_{8ULL << 20U};
  Bytes max_total_bytes_{32ULL << 20U};
  std::uint32_t max_files_ = 64;
};

// A backend's ceilings, one for each direction.
class SandboxLimits {
 public:
  constexpr SandboxLimits() = default;
  constexpr SandboxLimits(TransferLimits files_in, TransferLimits files_out)
      : files_in_(files_in), files_out_(files_out) {}

  [[nodiscard]] constexpr const TransferLimits& files_in() const { return files_in_; }
  [[nodiscard]] constexpr const TransferLimits& files_out() const { return files_out_; }

  friend constexpr bool operator==(const SandboxLimits&, const SandboxLimits&) = default;

 private:
  TransferLimits files_in_;
  TransferLimits files_out_;
};

}  // namespace sandbox
