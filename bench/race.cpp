// SPDX-License-Identifier: MIT
#include "race.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <stdexcept>
#include <thread>

namespace sandbox::bench {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::nanoseconds;

std::string excerpt(const std::string& text) {
  constexpr std::size_t kMost = 200;
  std::string shown;
  for (const char letter : text.substr(0, kMost)) {
    const bool plain = letter >= ' ' && letter <= '~';
    shown += plain ? std::string(1, letter) : fmt::format("\\x{:02x}", letter & 0xff);
  }
  return "'" + shown + (text.size() > kMost ? "'..." : "'");
}

class Race {
 public:
  Race(const Workload& workload, const Contestants& contestants, const RaceRules& rules,
       CpuMeter& meter)
      : workload_(workload),
        contestants_(contestants),
        rules_(rules),
        meter_(meter),
        random_(rules.seed),
        order_(contestants.size()) {
    std::iota(order_.begin(), order_.end(), 0U);
    result_.microseconds.resize(contestants.size());
  }

  RaceResult run() {
    for (std::size_t round = 0; round < rules_.warm_up; ++round) (void)run_round();
    std::size_t kept = 0;
    while (kept < rules_.rounds) kept += run_window(rules_.rounds - kept);
    return std::move(result_);
  }

 private:
  // Wall time of each contestant.
  std::vector<nanoseconds> run_round() {
    std::shuffle(order_.begin(), order_.end(), random_);
    std::vector<nanoseconds> walls(contestants_.size());
    for (const std::size_t index : order_) {
      const Lap lap = checked_lap(*contestants_[index], workload_);
      walls[index] = lap.wall;
      contestants_cpu_ += lap.cpu;
    }
    return walls;
  }

  // How many rounds were kept: all of the window, or none.
  std::size_t run_window(std::size_t most_rounds) {
    const CpuReading before = meter_.read();
    const auto start = Clock::now();
    contestants_cpu_ = nanoseconds(0);
    std::vector<std::vector<nanoseconds>> rounds;
    do {
      rounds.push_back(run_round());
    } while (rounds.size() < most_rounds && Clock::now() - start < rules_.window);
    const nanoseconds elapsed = Clock::now() - start;
    const CpuReading after = meter_.read();

    const nanoseconds foreign =
        (after.machine - before.machine) - (after.harness - before.harness) - contestants_cpu_;
    if (foreign > allowed(elapsed)) {
      if (result_.thrown_away + rounds.size() <= rules_.most_thrown_away) {
        result_.thrown_away += rounds.size();
        std::this_thread::sleep_for(rules_.pause);
        return 0;
      }
      result_.disturbed += rounds.size();
    }
    for (const std::vector<nanoseconds>& walls : rounds) keep(walls);
    return rounds.size();
  }

  [[nodiscard]] nanoseconds allowed(nanoseconds elapsed) const {
    const double share =
        rules_.allowed_share * rules_.processors * static_cast<double>(elapsed.count());
    return std::max(nanoseconds(rules_.allowed_time), nanoseconds(static_cast<long>(share)));
  }

  void keep(const std::vector<nanoseconds>& walls) {
    for (std::size_t index = 0; index < walls.size(); ++index) {
      const std::chrono::duration<double, std::micro> wall = walls[index];
      result_.microseconds[index].push_back(wall.count());
    }
  }

  const Workload& workload_;
  const Contestants& contestants_;
  const RaceRules& rules_;
  CpuMeter& meter_;
  std::mt19937 random_;
  std::vector<std::size_t> order_;
  nanoseconds contestants_cpu_{0};
  RaceResult result_;
};

}  // namespace

Lap checked_lap(Contestant& contestant, const Workload& workload) {
  Lap lap;
  try {
    lap = contestant.run(workload);
  } catch (const std::exception& error) {
    throw std::runtime_error(
        fmt::format("{} could not run '{}': {}", contestant.name(), workload.name(), error.what()));
  }
  if (lap.exit_code != 0 || lap.output != workload.output()) {
    throw std::runtime_error(fmt::format(
        "{} answered '{}' wrongly: exit code {}, stdout {} where {} is right, stderr {}",
        contestant.name(), workload.name(), lap.exit_code, excerpt(lap.output),
        excerpt(workload.output()), excerpt(lap.error_output)));
  }
  return lap;
}

RaceResult race(const Workload& workload, const Contestants& contestants, const RaceRules& rules,
                CpuMeter& meter) {
  return Race(workload, contestants, rules, meter).run();
}

}  // namespace sandbox::bench
