// What a report says of the whole.
// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "sandbox/error.hpp"
#include "sandbox/runner/selftest.hpp"
#include "support/run_awaitable.hpp"

namespace sandbox::runner {
namespace {

SelftestReport report_of(const std::vector<Verdict>& verdicts) {
  SelftestReport report;
  for (const Verdict verdict : verdicts) {
    report.attempts.emplace_back();
    report.attempts.back().verdict = verdict;
  }
  return report;
}

TEST(SelftestReport, AllGoodIsSaidOnlyWhenEverythingIsContained) {
  EXPECT_TRUE(report_of({Verdict::contained, Verdict::contained}).all_good());
  EXPECT_FALSE(report_of({}).all_good());
  for (const Verdict bad : {Verdict::escaped, Verdict::broken, Verdict::skipped}) {
    const SelftestReport report = report_of({Verdict::contained, bad});
    EXPECT_FALSE(report.all_good()) << to_string(bad);
    EXPECT_EQ(report.count(bad), 1U);
    EXPECT_EQ(report.count(Verdict::contained), 1U);
  }
}

TEST(SelftestReport, AnAttemptIsNotContainedByDefault) {
  EXPECT_EQ(AttemptReport().verdict, Verdict::broken);
}

TEST(RunSelftest, RefusesANumberThatNoAttemptHas) {
  SelftestOptions options;
  options.only({99999});
  try {
    (void)sandbox::testing::run_awaitable(run_selftest(options));
    FAIL() << "accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.sandbox_code(), errc::invalid_argument);
    EXPECT_NE(std::string(error.what()).find("99999"), std::string::npos);
  }
}

}  // namespace
}  // namespace sandbox::runner
