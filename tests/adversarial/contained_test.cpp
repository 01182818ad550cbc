// No attempt gets anywhere under the default options.
// SPDX-License-Identifier: MIT
#include "adversarial_fixture.hpp"

namespace sandbox::runner::testing {
namespace {

class Contained : public AdversarialTest, public ::testing::WithParamInterface<Attempt> {};

TEST_P(Contained, ByDefault) {
  const AttemptReport report = run(GetParam(), {});
  if (machine_lacks(report)) GTEST_SKIP() << report.reason;
  EXPECT_EQ(report.verdict, Verdict::contained) << story(report);
}

bool any(const Attempt&) { return true; }
std::string name(const ::testing::TestParamInfo<Attempt>& info) { return info.param.name; }

INSTANTIATE_TEST_SUITE_P(adversarial, Contained, ::testing::ValuesIn(attempts(false, any)), name);
INSTANTIATE_TEST_SUITE_P(exhaustion, Contained, ::testing::ValuesIn(attempts(true, any)), name);

TEST(AdversarialCorpus, CanBeRead) {
  try {
    EXPECT_FALSE(builtin_attempts().empty());
  } catch (const Error& error) {
    FAIL() << error.what();
  }
}

}  // namespace
}  // namespace sandbox::runner::testing
