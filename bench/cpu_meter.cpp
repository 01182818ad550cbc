// SPDX-License-Identifier: MIT
#include "cpu_meter.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <array>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>

namespace sandbox::bench {
namespace {

std::chrono::nanoseconds spent(const timeval& time) {
  return std::chrono::seconds(time.tv_sec) + std::chrono::microseconds(time.tv_usec);
}

}  // namespace

std::optional<unsigned long long> busy_ticks(std::string_view first_line) {
  std::istringstream words{std::string(first_line)};
  std::string label;
  // user nice system idle iowait irq softirq steal
  std::array<unsigned long long, 8> ticks{};
  words >> label;
  for (unsigned long long& field : ticks) words >> field;
  if (!words || label != "cpu") return std::nullopt;
  return ticks[0] + ticks[1] + ticks[2] + ticks[7];
}

CpuReading MachineCpuMeter::read() {
  std::ifstream file("/proc/stat");
  std::string line;
  std::getline(file, line);
  const std::optional<unsigned long long> ticks = busy_ticks(line);
  if (!ticks) {
    throw std::runtime_error(
        "read /proc/stat: its first line is not that of all processors; without it foreign load "
        "cannot be told from ours");
  }
  const auto tick = std::chrono::nanoseconds(std::chrono::seconds(1)) / ::sysconf(_SC_CLK_TCK);
  rusage own{};
  ::getrusage(RUSAGE_SELF, &own);
  CpuReading reading;
  reading.machine = tick * static_cast<std::chrono::nanoseconds::rep>(*ticks);
  reading.harness = spent(own.ru_utime) + spent(own.ru_stime);
  return reading;
}

}  // namespace sandbox::bench
