// What all processes of a run use together, sampled by init: memory, cpu time, processes.
// SPDX-License-Identifier: MIT
#pragma once

#include <sys/types.h>

#include "context.hpp"
#include "memory_count.hpp"

namespace sandbox::runner::launcher {

class Accounting {
 public:
  // More than the highest process limit, so that none is missed.
  static constexpr std::uint32_t kMaxProcesses = 4200;
  static constexpr int kIntervalMs = 20;

  // `proc`: a view on the run's processes; -1: none, then nothing is sampled.
  Accounting(const Context& context, int proc);

  [[nodiscard]] bool is_on() const { return proc_ >= 0; }
  // Milliseconds until the next sample is due; -1 when nothing is sampled.
  [[nodiscard]] int wait_ms() const;
  // Takes a sample when it is due. True when the run is over its memory or cpu time.
  bool check();
  // Of what was taken by wait(2) so far, in microseconds.
  void set_reaped_us(std::uint64_t microseconds) { reaped_us_ = microseconds; }
  // The limits that the run ends on, and the peaks. Looks at the file systems once more.
  void finish(Reply& reply);

 private:
  struct Totals;

  void sample();
  void take(std::uint32_t pid, Totals& totals);
  void take_memory_of_a_thread(SeenProcess& seen) const;
  void settle_cpu(const Totals& totals);
  void settle_memory(const Totals& totals);
  [[nodiscard]] std::uint64_t files_in_memory();
  void count_exactly(std::uint64_t quick, std::uint64_t files);
  [[nodiscard]] std::uint64_t page_tables() const;

  const Context& context_;
  RunBudget budget_;
  int proc_;
  std::uint64_t work_at_start_ = 0;
  std::uint64_t next_ns_ = 0;
  MemoryCount count_;
  std::uint64_t next_count_ns_ = 0;
  std::uint64_t count_took_ = 0;  // the one under way, so far
  std::uint64_t counted_ = 0;     // by the last count that was done,
  std::uint64_t quick_then_ = 0;  // and the quick one at that moment
  std::uint64_t reaped_us_ = 0;
  std::uint64_t vanished_ticks_ = 0;
  std::uint64_t cpu_us_ = 0;
  std::uint64_t memory_peak_ = 0;
  std::uint32_t processes_peak_ = 0;
  std::uint32_t met_ = 0;
  std::uint32_t seen_count_ = 0;
  SeenProcess seen_[2][kMaxProcesses];  // the last sample, and the one being taken
  int current_ = 0;
};

std::uint64_t now_ns();

}  // namespace sandbox::runner::launcher
