// SPDX-License-Identifier: MIT
#include "statistics.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace sandbox::bench {
namespace {

std::vector<double> sorted(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values;
}

}  // namespace

double percentile(const std::vector<double>& sorted, double percent) {
  assert(!sorted.empty() && percent >= 0 && percent <= 100);
  // Product first: in binary 0.55 * 100 is above 55, 55 * 100 / 100 is not.
  const double rank = std::ceil(percent * static_cast<double>(sorted.size()) / 100);
  const auto index = static_cast<std::size_t>(std::max(rank, 1.0)) - 1;
  return sorted[std::min(index, sorted.size() - 1)];
}

Summary::Summary(std::vector<double> values) : count_(values.size()) {
  const std::vector<double> ascending = sorted(std::move(values));
  min_ = ascending.front();
  p50_ = percentile(ascending, 50);
  p95_ = percentile(ascending, 95);
  p99_ = percentile(ascending, 99);
}

std::optional<double> ratio(double numerator, double denominator) {
  if (!std::isfinite(numerator) || !std::isfinite(denominator) || denominator <= 0) return {};
  const double value = numerator / denominator;
  return std::isfinite(value) ? std::optional<double>(value) : std::nullopt;
}

}  // namespace sandbox::bench
