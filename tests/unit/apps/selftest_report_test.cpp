// What selftest prints.
// SPDX-License-Identifier: MIT
#include "selftest_report.hpp"

#include <gmock/gmock.h>

#include <boost/json/array.hpp>

namespace sandbox::ctl {
namespace {

using runner::AttemptReport;
using runner::Protection;
using runner::SelftestReport;
using runner::Verdict;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

AttemptReport attempt(int number, const std::string& group, Verdict verdict,
                      const std::string& reason = "") {
  AttemptReport report;
  report.number = number;
  report.name = "0" + std::to_string(number) + "_name";
  report.title = "the title";
  report.group = group;
  report.layers = {Protection::seccomp};
  report.verdict = verdict;
  report.reason = reason;
  report.met.emplace_back("label", "EPERM");
  report.time = std::chrono::microseconds(42);
  return report;
}

SelftestReport report_of(std::vector<AttemptReport> attempts) {
  SelftestReport report;
  report.kernel = "6.1.0";
  report.attempts = std::move(attempts);
  return report;
}

TEST(SelftestText, SaysAllGoodWhenAllIs) {
  const std::vector<SelftestReport> reports{report_of(
      {attempt(10, "files", Verdict::contained), attempt(11, "files", Verdict::contained)})};
  EXPECT_EQ(selftest_text(reports, false),
            "on kernel 6.1.0:\n"
            "  files          2 of   2 contained\n"
            "all good: 2 contained\n");
  EXPECT_EQ(selftest_text(reports, true), "");
}

TEST(SelftestText, ListsWhatIsNotContained) {
  const std::vector<SelftestReport> reports{
      report_of({attempt(10, "files", Verdict::contained),
                 attempt(11, "files", Verdict::escaped, "a\x1b worked"),
                 attempt(12, "proc", Verdict::skipped, "no such device")})};
  const std::string text = selftest_text(reports, false);
  EXPECT_THAT(text, HasSubstr("  files          1 of   2 contained\n  proc           0 of   1"));
  EXPECT_THAT(text, HasSubstr("not contained:\n  escaped  011_name: the title\n"
                              "           a\\x1b worked\n"));
  EXPECT_THAT(text, HasSubstr("skipped:\n  skipped  012_name: the title\n"));
  EXPECT_THAT(text, HasSubstr("\nnot all good: 1 contained, 1 escaped, 1 skipped\n"));
  EXPECT_THAT(selftest_text(reports, true), StartsWith("not contained:\n"));
}

TEST(SelftestText, OneSkippedOrBrokenIsNotAllGood) {
  for (const Verdict bad : {Verdict::escaped, Verdict::broken, Verdict::skipped}) {
    const std::vector<SelftestReport> reports{report_of({attempt(10, "files", bad)})};
    EXPECT_FALSE(all_good(reports));
    EXPECT_THAT(selftest_text(reports, false), HasSubstr("\nnot all good: "));
    EXPECT_THAT(selftest_text(reports, true), HasSubstr("\nnot all good: "));
  }
}

TEST(SelftestText, NothingTriedIsNotAllGood) {
  EXPECT_FALSE(all_good({}));
  EXPECT_FALSE(all_good({report_of({})}));
  EXPECT_THAT(selftest_text({report_of({})}, false), HasSubstr("not all good: nothing was tried"));
}

TEST(SelftestText, LayersAreToldByTheirLine) {
  SelftestReport weaker = report_of({attempt(10, "files", Verdict::escaped, "a worked")});
  weaker.off = {Protection::landlock};
  const std::vector<SelftestReport> reports{report_of({attempt(10, "files", Verdict::contained)}),
                                            weaker};
  const std::string text = selftest_text(reports, false);
  EXPECT_THAT(text, HasSubstr("critical ones, without landlock: 0 of 1 contained\n"));
  EXPECT_THAT(text, HasSubstr("010_name: the title (without landlock)\n"));
  EXPECT_FALSE(all_good(reports));
}

TEST(SelftestText, WhatTheMachineLacksIsTold) {
  AttemptReport lacking = attempt(10, "files", Verdict::contained);
  lacking.lacking = {Protection::cgroup};
  EXPECT_THAT(selftest_text({report_of({lacking})}, false),
              HasSubstr("cannot be had on this machine: cgroup\n"));
}

TEST(SelftestJson, HasEveryField) {
  SelftestReport weaker = report_of({attempt(11, "proc", Verdict::broken, "b met \xff")});
  weaker.off = {Protection::landlock};
  const boost::json::object object =
      selftest_json({report_of({attempt(10, "files", Verdict::contained)}), weaker});
  EXPECT_EQ(object.at("kernel"), "6.1.0");
  EXPECT_EQ(object.at("all_good"), false);
  const boost::json::object totals = {
      {"attempts", 2U}, {"contained", 1U}, {"escaped", 0U}, {"broken", 1U}, {"skipped", 0U}};
  EXPECT_EQ(object.at("totals"), totals);
  const boost::json::object first = {{"number", 10},
                                     {"name", "010_name"},
                                     {"title", "the title"},
                                     {"group", "files"},
                                     {"layers", boost::json::array{"seccomp"}},
                                     {"lacking", boost::json::array{}},
                                     {"without", boost::json::array{}},
                                     {"verdict", "contained"},
                                     {"met", {{{"label", "label"}, {"word", "EPERM"}}}},
                                     {"reason", nullptr},
                                     {"micros", 42}};
  EXPECT_EQ(object.at("attempts").at(0), first);
  EXPECT_EQ(object.at("attempts").at(1).at("without"), boost::json::array{"landlock"});
  EXPECT_EQ(object.at("attempts").at(1).at("reason"), "b met \xEF\xBF\xBD");
}

}  // namespace
}  // namespace sandbox::ctl
