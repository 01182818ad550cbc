// Limits of one run: setters and their ranges.
// SPDX-License-Identifier: MIT
#include "sandbox/limits.hpp"

#include <string>
#include <string_view>

#include "format.hpp"
#include "sandbox/error.hpp"

namespace sandbox {
namespace {

using namespace literals;

// An interpreter does not start below this.
constexpr Bytes kMinMemory = 16_MiB;
constexpr Bytes kMinOutput = 1_B;
constexpr Bytes kMinFileSize = 1_B;
constexpr std::uint32_t kMinProcesses = 1;
constexpr std::uint32_t kMaxProcesses = 4096;
constexpr std::chrono::milliseconds kMinCpuTime{1};
constexpr std::uint32_t kMinOpenFiles = 16;
constexpr std::uint32_t kMaxOpenFiles = 1048576;  // the kernel's default fs.nr_open

[[noreturn]] void refuse(std::string_view limit, const std::string& value,
                         const std::string& range) {
  throw Error(errc::invalid_argument, "limit " + std::string(limit) + ": " + value +
                                          " is out of range; give " + range +
                                          ", or leave it unset for the default");
}

void check_least(std::string_view limit, std::optional<Bytes> value, Bytes least) {
  if (value && *value < least) {
    refuse(limit, detail::format_bytes(*value), "at least " + detail::format_bytes(least));
  }
}

void check_range(std::string_view limit, std::optional<std::uint32_t> value, std::uint32_t least,
                 std::uint32_t most) {
  if (value && (*value < least || *value > most)) {
    refuse(limit, std::to_string(*value), std::to_string(least) + " to " + std::to_string(most));
  }
}

template <class T>
std::optional<T> first_set(std::optional<T> wanted, std::optional<T> fallback) {
  return wanted ? wanted : fallback;
}

}  // namespace

Limits& Limits::memory(Bytes value) {
  memory_ = value;
  return *this;
}

Limits& Limits::processes(std::uint32_t value) {
  processes_ = value;
  return *this;
}

Limits& Limits::cpu_time(std::chrono::milliseconds value) {
  cpu_time_ = value;
  return *this;
}

Limits& Limits::output(Bytes value) {
  output_ = value;
  return *this;
}

Limits& Limits::file_size(Bytes value) {
  file_size_ = value;
  return *this;
}

Limits& Limits::open_files(std::uint32_t value) {
  open_files_ = value;
  return *this;
}

Limits Limits::or_else(const Limits& defaults) const {
  Limits merged;
  merged.memory_ = first_set(memory_, defaults.memory_);
  merged.processes_ = first_set(processes_, defaults.processes_);
  merged.cpu_time_ = first_set(cpu_time_, defaults.cpu_time_);
  merged.output_ = first_set(output_, defaults.output_);
  merged.file_size_ = first_set(file_size_, defaults.file_size_);
  merged.open_files_ = first_set(open_files_, defaults.open_files_);
  return merged;
}

void Limits::validate() const {
  check_least("memory", memory_, kMinMemory);
  check_range("processes", processes_, kMinProcesses, kMaxProcesses);
  if (cpu_time_ && *cpu_time_ < kMinCpuTime) {
    refuse("cpu_time", detail::format_duration(*cpu_time_),
           "at least " + detail::format_duration(kMinCpuTime));
  }
  check_least("output", output_, kMinOutput);
  check_least("file_size", file_size_, kMinFileSize);
  check_range("open_files", open_files_, kMinOpenFiles, kMaxOpenFiles);
}

}  // namespace sandbox
