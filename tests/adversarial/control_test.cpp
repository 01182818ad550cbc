// The attempts can work at all: a test that passes without the protection tests nothing.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <string_view>

#include "adversarial_fixture.hpp"
#include "plain_run.hpp"

namespace sandbox::runner::testing {
namespace {

// A kernel or a distribution may refuse without any help of ours.
bool is_a_refusal(const std::string& word) {
  constexpr std::array<std::string_view, 8> kRefusals = {
      "EPERM",        "EACCES",          "ENOSYS", "EOPNOTSUPP",
      "EAFNOSUPPORT", "EPROTONOSUPPORT", "ENODEV", "ENOENT"};
  return std::find(kRefusals.begin(), kRefusals.end(), word) != kRefusals.end();
}

class Control : public AdversarialTest, public ::testing::WithParamInterface<Attempt> {
 protected:
  // In a sandbox that lacks just the protections that the attempt names.
  void works_without() {
    const Attempt& attempt = GetParam();
    const AttemptReport report = run(attempt, attempt.control.off());
    EXPECT_TRUE(report.harm.empty()) << story(report);
    if (first_label_worked(attempt, report.met)) return;
    if (machine_lacks(report)) GTEST_SKIP() << report.reason;
    const PlainRun outside(attempt);
    if (is_a_refusal(outside.word()) && !outside.worked()) {
      GTEST_SKIP() << "this machine refuses it without a sandbox too: " << outside.word();
    }
    FAIL() << "its first label did not work; " << story(report);
  }

  void works_plainly() {
    const PlainRun outside(GetParam());
    if (outside.lacking()) GTEST_SKIP() << *outside.lacking();
    if (outside.worked()) return;
    if (is_a_refusal(outside.word())) {
      GTEST_SKIP() << "this machine refuses it without a sandbox too: " << outside.word();
    }
    FAIL() << "its first label did not work; " << outside.story();
  }
};

TEST_P(Control, Works) {
  const PositiveControl& control = GetParam().control;
  switch (control.kind()) {
    case PositiveControl::Kind::without:
      return works_without();
    case PositiveControl::Kind::plain:
      return works_plainly();
    case PositiveControl::Kind::vm:
      GTEST_SKIP() << "only in a virtual machine: " << control.reason();
    case PositiveControl::Kind::never:
      GTEST_SKIP() << "nothing can show it: " << control.reason();
  }
}

bool any(const Attempt&) { return true; }
std::string name(const ::testing::TestParamInfo<Attempt>& info) { return info.param.name; }

INSTANTIATE_TEST_SUITE_P(adversarial, Control, ::testing::ValuesIn(attempts(false, any)), name);
INSTANTIATE_TEST_SUITE_P(exhaustion, Control, ::testing::ValuesIn(attempts(true, any)), name);

}  // namespace
}  // namespace sandbox::runner::testing
