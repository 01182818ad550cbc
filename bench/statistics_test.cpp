// Percentiles, summaries and ratios.
// SPDX-License-Identifier: MIT
#include "statistics.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <numeric>
#include <vector>

namespace sandbox::bench {
namespace {

std::vector<double> one_to(int last) {
  std::vector<double> values(static_cast<std::size_t>(last));
  std::iota(values.begin(), values.end(), 1.0);
  return values;
}

TEST(Percentile, IsTheNearestRank) {
  const std::vector<double> values = one_to(200);
  EXPECT_EQ(percentile(values, 0), 1);
  EXPECT_EQ(percentile(values, 0.5), 1);
  EXPECT_EQ(percentile(values, 50), 100);
  EXPECT_EQ(percentile(values, 95), 190);
  EXPECT_EQ(percentile(values, 99), 198);
  EXPECT_EQ(percentile(values, 100), 200);
}

TEST(Percentile, IsAlwaysAValueThatWasSeen) {
  const std::vector<double> values = {1, 100};
  EXPECT_EQ(percentile(values, 50), 1);
  EXPECT_EQ(percentile(values, 51), 100);
}

TEST(Percentile, IsNotMovedByHowFractionsAreStored) {
  for (int rank = 1; rank <= 100; ++rank) EXPECT_EQ(percentile(one_to(100), rank), rank);
}

TEST(Percentile, OfOneValueIsThatValue) {
  for (const double percent : {0.0, 50.0, 99.0, 100.0}) EXPECT_EQ(percentile({7}, percent), 7);
}

TEST(Summary, TakesValuesInAnyOrder) {
  std::vector<double> values = one_to(200);
  std::swap(values.front(), values.back());
  std::swap(values[3], values[150]);
  const Summary summary(values);
  EXPECT_EQ(summary.count(), 200U);
  EXPECT_EQ(summary.min(), 1);
  EXPECT_EQ(summary.p50(), 100);
  EXPECT_EQ(summary.p95(), 190);
  EXPECT_EQ(summary.p99(), 198);
}

TEST(Ratio, IsTheQuotient) {
  EXPECT_EQ(ratio(3, 2), 1.5);
  EXPECT_EQ(ratio(-1, 2), -0.5);
}

TEST(Ratio, IsNoneWhereItSaysNothing) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(ratio(1, 0), std::nullopt);
  EXPECT_EQ(ratio(1, -2), std::nullopt);
  EXPECT_EQ(ratio(nan, 1), std::nullopt);
  EXPECT_EQ(ratio(1, nan), std::nullopt);
  EXPECT_EQ(ratio(std::numeric_limits<double>::max(), 0.5), std::nullopt);
}

}  // namespace
}  // namespace sandbox::bench
