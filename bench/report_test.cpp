// Ratios from medians, and both forms of the report.
// SPDX-License-Identifier: MIT
#include "report.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sandbox::bench {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

WorkloadFigures figures_of(std::vector<std::pair<std::string, double>> medians) {
  WorkloadFigures figures;
  figures.name = "true";
  figures.argv = {"/bin/true"};
  figures.rounds = 200;
  for (const auto& [name, median] : medians) {
    figures.contestants.emplace_back(name, Summary({median / 2, median, median * 2}));
  }
  return figures;
}

std::optional<double> ratio_named(const WorkloadFigures& figures, const std::string& key) {
  for (const Ratio& ratio : ratios_of(figures)) {
    if (ratio.key == key) return ratio.value;
  }
  ADD_FAILURE() << "no ratio " << key;
  return std::nullopt;
}

TEST(RatiosOf, AreOfMedians) {
  const auto figures =
      figures_of({{kBare, 1000}, {kOurs, 1500}, {kBubblewrap, 5000}, {kSandboxctl, 3000}});
  EXPECT_EQ(ratio_named(figures, "ours_to_bare"), 1.5);
  EXPECT_EQ(ratio_named(figures, "overhead_ours_to_bubblewrap"), 0.125);
  EXPECT_EQ(ratio_named(figures, "ours_to_bubblewrap"), 0.3);
  EXPECT_EQ(ratio_named(figures, "overhead_sandboxctl_to_bubblewrap"), 0.5);
}

TEST(RatiosOf, AreNoneForAMissingContestant) {
  const auto figures = figures_of({{kBare, 1000}, {kOurs, 1500}});
  EXPECT_EQ(ratio_named(figures, "ours_to_bare"), 1.5);
  EXPECT_EQ(ratio_named(figures, "overhead_ours_to_bubblewrap"), std::nullopt);
  EXPECT_EQ(ratio_named(figures, "ours_to_bubblewrap"), std::nullopt);
  EXPECT_EQ(ratio_named(figures, "overhead_sandboxctl_to_bubblewrap"), std::nullopt);
}

TEST(RatiosOf, OverheadIsNoneWhenBubblewrapHasNone) {
  const auto figures = figures_of({{kBare, 1000}, {kOurs, 1500}, {kBubblewrap, 1000}});
  EXPECT_EQ(ratio_named(figures, "overhead_ours_to_bubblewrap"), std::nullopt);
}

TEST(ReportText, SaysWhenTheFiguresAreNotToBeTrusted) {
  Report report;
  report.workloads.push_back(figures_of({{kBare, 1000}, {kOurs, 1500}}));
  report.machine.optimised = true;
  EXPECT_THAT(to_text(report), Not(HasSubstr("NOT")));
  report.workloads.front().disturbed = 7;
  EXPECT_THAT(to_text(report), HasSubstr("busy with other work in 7 of these rounds"));
  report.machine.optimised = false;
  EXPECT_THAT(to_text(report), HasSubstr("NOT optimised"));
}

TEST(ReportText, NamesWhatWasSkippedAndWhy) {
  Report report;
  report.skipped.emplace_back(kBubblewrap, "not installed");
  EXPECT_THAT(to_text(report), HasSubstr("skipped: bubblewrap: not installed\n"));
}

TEST(ReportJson, HasAMissingRatioAsNull) {
  Report report;
  report.workloads.push_back(figures_of({{kBare, 1000}, {kOurs, 1500}}));
  const auto object = to_json(report);
  const auto& ratios = object.at("workloads").at(0).at("ratios");
  EXPECT_EQ(ratios.at("ours_to_bare").as_double(), 1.5);
  EXPECT_TRUE(ratios.at("ours_to_bubblewrap").is_null());
}

}  // namespace
}  // namespace sandbox::bench
