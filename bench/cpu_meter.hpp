// How much processor time the machine has spent, and how much of it was the harness's own.
// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <optional>
#include <string_view>

namespace sandbox::bench {

// Totals that only grow; differences of two readings count.
class CpuReading {
 public:
  std::chrono::nanoseconds machine{0};  // all processors: user, nice, system and stolen time
  std::chrono::nanoseconds harness{0};  // this process, all threads, without children

  CpuReading() = default;
};

class CpuMeter {
 public:
  CpuMeter() = default;
  CpuMeter(const CpuMeter&) = delete;
  CpuMeter& operator=(const CpuMeter&) = delete;
  CpuMeter(CpuMeter&&) = delete;
  CpuMeter& operator=(CpuMeter&&) = delete;
  virtual ~CpuMeter() = default;

  virtual CpuReading read() = 0;
};

// The real one: /proc/stat and getrusage. The former advances in ticks of 10 ms.
class MachineCpuMeter : public CpuMeter {
 public:
  // Errors: std::runtime_error when /proc/stat cannot be read.
  CpuReading read() override;
};

// user + nice + system + steal of the first line of /proc/stat (proc(5)), in ticks; none when it is
// not that line. Time that the hypervisor gave to others delays us like a neighbour's.
std::optional<unsigned long long> busy_ticks(std::string_view first_line);

}  // namespace sandbox::bench
