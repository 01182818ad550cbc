// The attempts can work at all: a test that passes without the protection tests nothing.
// SPDX-License-Identifier: MIT
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
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
      FAIL() << "belongs to MachineControl";
    case PositiveControl::Kind::never:
      GTEST_SKIP() << "nothing can show it: " << control.reason();
  }
}

// What could harm a machine, on one that is thrown away: scripts/test-vm says that it is.
class MachineControl : public ::testing::TestWithParam<Attempt> {};

TEST_P(MachineControl, Works) {
  const Attempt& attempt = GetParam();
  if (std::getenv("SANDBOX_TEST_THROW_AWAY_MACHINE") == nullptr) {
    GTEST_SKIP() << "only in a virtual machine (scripts/test-vm): " << attempt.control.reason();
  }
  const PlainRun outside(attempt, PlainRun::Where::machine);
  if (outside.lacking()) GTEST_SKIP() << *outside.lacking();
  if (outside.worked()) return;
  if (is_a_refusal(outside.word())) {
    GTEST_SKIP() << "this machine refuses uid " << ::geteuid() << " too: " << outside.word();
  }
  FAIL() << "its first label did not work; " << outside.story();
}

bool needs_a_machine(const Attempt& one) { return one.control.kind() == PositiveControl::Kind::vm; }
bool needs_none(const Attempt& one) { return !needs_a_machine(one); }
std::string name(const ::testing::TestParamInfo<Attempt>& info) { return info.param.name; }

INSTANTIATE_TEST_SUITE_P(adversarial, Control, ::testing::ValuesIn(attempts(false, needs_none)),
                         name);
INSTANTIATE_TEST_SUITE_P(exhaustion, Control, ::testing::ValuesIn(attempts(true, needs_none)),
                         name);
INSTANTIATE_TEST_SUITE_P(adversarial, MachineControl,
                         ::testing::ValuesIn(attempts(false, needs_a_machine)), name);
INSTANTIATE_TEST_SUITE_P(exhaustion, MachineControl,
                         ::testing::ValuesIn(attempts(true, needs_a_machine)), name);

}  // namespace
}  // namespace sandbox::runner::testing
