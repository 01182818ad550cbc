// What many timings come to.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

namespace sandbox::bench {

// The smallest value such that at least `percent` of all values are not above it (nearest rank), so
// always one that was really seen.
// REQUIRES: `sorted` ascends and is not empty; 0 <= percent <= 100.
double percentile(const std::vector<double>& sorted, double percent);

// In the unit of the values.
class Summary {
 public:
  // REQUIRES: `values` is not empty.
  explicit Summary(std::vector<double> values);

  [[nodiscard]] std::size_t count() const { return count_; }
  [[nodiscard]] double min() const { return min_; }
  [[nodiscard]] double p50() const { return p50_; }
  [[nodiscard]] double p95() const { return p95_; }
  [[nodiscard]] double p99() const { return p99_; }

 private:
  std::size_t count_;
  double min_;
  double p50_;
  double p95_;
  double p99_;
};

// None when the parts have no ratio that says anything: a denominator that is not positive, or a
// value that is no finite number.
std::optional<double> ratio(double numerator, double denominator);

}  // namespace sandbox::bench
