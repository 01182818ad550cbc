// Limits of one run.
// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

#include "sandbox/units.hpp"

namespace sandbox {

// What is not set is the backend's default. There is no "unlimited": zero is refused.
//
// Thread safety: as a plain value.
class Limits {
 public:
  Limits() = default;

  // Memory of the run. At least 16 MiB.
  Limits& memory(Bytes value);
  // Processes and threads at one time. 1 to 4096.
  Limits& processes(std::uint32_t value);
  // CPU time of the run, all its processes together. At least 1 ms. A backend may look from time to
  // time only: the Linux backend does every 20 ms.
  Limits& cpu_time(std::chrono::milliseconds value);
  // How much of each of stdout and stderr is kept (first and last part); all of it is counted.
  Limits& output(Bytes value);
  // The largest file that the program may write.
  Limits& file_size(Bytes value);
  // Open descriptors of one process. 16 to 1048576.
  Limits& open_files(std::uint32_t value);

  [[nodiscard]] std::optional<Bytes> memory() const { return memory_; }
  [[nodiscard]] std::optional<std::uint32_t> processes() const { return processes_; }
  [[nodiscard]] std::optional<std::chrono::milliseconds> cpu_time() const { return cpu_time_; }
  [[nodiscard]] std::optional<Bytes> output() const { return output_; }
  [[nodiscard]] std::optional<Bytes> file_size() const { return file_size_; }
  [[nodiscard]] std::optional<std::uint32_t> open_files() const { return open_files_; }

  // This, with what it leaves open taken from `defaults`.
  [[nodiscard]] Limits or_else(const Limits& defaults) const;

  // Errors: errc::invalid_argument naming the limit, the value and the range.
  void validate() const;

  friend bool operator==(const Limits&, const Limits&) = default;

 private:
  std::optional<Bytes> memory_;
  std::optional<std::uint32_t> processes_;
  std::optional<std::chrono::milliseconds> cpu_time_;
  std::optional<Bytes> output_;
  std::optional<Bytes> file_size_;
  std::optional<std::uint32_t> open_files_;
};

}  // namespace sandbox
