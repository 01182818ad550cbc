// The critical attempts are stopped by two layers: any one of them may be off (adversarial 13).
// SPDX-License-Identifier: MIT
#include <array>
#include <utility>

#include "adversarial_fixture.hpp"

namespace sandbox::runner::testing {
namespace {

class LayerOff {
 public:
  LayerOff(Attempt attempt, Protection layer) : attempt_(std::move(attempt)), layer_(layer) {}

  [[nodiscard]] const Attempt& attempt() const { return attempt_; }
  [[nodiscard]] Protection layer() const { return layer_; }

  friend void PrintTo(const LayerOff& value, std::ostream* out) {
    *out << value.attempt_.name << " without " << to_string(value.layer_);
  }

 private:
  Attempt attempt_;
  Protection layer_;
};

std::vector<LayerOff> critical_ones(bool exhaustion) {
  std::vector<LayerOff> all;
  for (Attempt& attempt : attempts(exhaustion, [](const Attempt& one) { return one.critical; })) {
    for (const Protection layer : {Protection::seccomp, Protection::landlock,
                                   Protection::namespace_lock, Protection::inner_user_namespace}) {
      all.emplace_back(attempt, layer);
    }
  }
  return all;
}

class Critical : public AdversarialTest, public ::testing::WithParamInterface<LayerOff> {};

TEST_P(Critical, HoldsWithOneLayerOff) {
  const AttemptReport report = run(GetParam().attempt(), {GetParam().layer()});
  if (machine_lacks(report)) GTEST_SKIP() << report.reason;
  EXPECT_EQ(report.verdict, Verdict::contained) << story(report);
}

std::string name(const ::testing::TestParamInfo<LayerOff>& info) {
  return info.param.attempt().name + "_without_" + std::string(to_string(info.param.layer()));
}

INSTANTIATE_TEST_SUITE_P(adversarial, Critical, ::testing::ValuesIn(critical_ones(false)), name);
INSTANTIATE_TEST_SUITE_P(exhaustion, Critical, ::testing::ValuesIn(critical_ones(true)), name);

}  // namespace
}  // namespace sandbox::runner::testing
