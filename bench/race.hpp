// Contestants take turns, round by round, in a new order each time.
// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "contestant.hpp"
#include "cpu_meter.hpp"
#include "workload.hpp"

namespace sandbox::bench {

class RaceRules {
 public:
  std::size_t rounds = 200;  // to keep
  std::size_t warm_up = 3;   // run and checked, not kept
  std::uint32_t seed = 0;    // of the order
  unsigned processors = 1;
  // Rounds are judged by the window, as /proc/stat is too coarse for a single one.
  std::chrono::milliseconds window{200};
  // A window is kept when foreign load took at most this part of all processors' time...
  double allowed_share = 0.075;
  // ... or at most this much, which is what rounding to ticks alone can come to.
  std::chrono::milliseconds allowed_time{20};
  // After throwing away so many rounds the rest is kept as it comes, and counted as disturbed.
  std::size_t most_thrown_away = 600;
  std::chrono::milliseconds pause{200};  // after a window that was thrown away

  RaceRules() = default;
};

class RaceResult {
 public:
  std::vector<std::vector<double>> microseconds;  // by contestant, then by kept round
  std::size_t thrown_away = 0;                    // rounds with foreign load
  std::size_t disturbed = 0;                      // rounds with foreign load that were kept

  RaceResult() = default;
};

using Contestants = std::vector<std::unique_ptr<Contestant>>;

// Errors: std::runtime_error naming the contestant for a wrong answer or a failed run, in any
// round: a wrong answer is no fast run.
RaceResult race(const Workload& workload, const Contestants& contestants, const RaceRules& rules,
                CpuMeter& meter);

// One lap, its answer checked. Errors: as race().
Lap checked_lap(Contestant& contestant, const Workload& workload);

}  // namespace sandbox::bench
