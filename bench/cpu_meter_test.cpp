// What counts as busy, and that the real meter sees this process work.
// SPDX-License-Identifier: MIT
#include "cpu_meter.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <ctime>

namespace sandbox::bench {
namespace {

using namespace std::chrono_literals;

TEST(BusyTicks, AreUserNiceSystemAndSteal) {
  EXPECT_EQ(busy_ticks("cpu  1 20 300 4000 50000 600000 7000000 80000000 0 0"), 80000321U);
}

TEST(BusyTicks, AreNotReadFromAnotherLine) {
  EXPECT_EQ(busy_ticks("cpu0 1 2 3 4 5 6 7 8 0 0"), std::nullopt);
  EXPECT_EQ(busy_ticks("cpu 1 2 3"), std::nullopt);
  EXPECT_EQ(busy_ticks("cpu a b c d e f g h"), std::nullopt);
  EXPECT_EQ(busy_ticks(""), std::nullopt);
}

// Nearly all of it in user mode, as the clock is looked at rarely.
void work_for(std::chrono::milliseconds cpu_time) {
  const std::clock_t end = std::clock() + cpu_time.count() * CLOCKS_PER_SEC / 1000;
  while (std::clock() < end) {
    for (std::atomic<int> count = 0; count < 100000; ++count) {
    }
  }
}

TEST(MachineCpuMeter, SeesThisProcessWork) {
  MachineCpuMeter meter;
  const CpuReading before = meter.read();
  work_for(100ms);
  const CpuReading after = meter.read();
  EXPECT_GE(after.harness - before.harness, 95ms);
  // Ticks are samples: half of it is enough to know the unit.
  EXPECT_GE(after.machine - before.machine, 50ms);
}

}  // namespace
}  // namespace sandbox::bench
