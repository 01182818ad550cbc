// SPDX-License-Identifier: MIT
#include "adversarial_fixture.hpp"

#include "sandbox/runner/unsafe.hpp"

namespace sandbox::runner {

void PrintTo(const Attempt& attempt, std::ostream* out) { *out << attempt.name; }

namespace testing {

std::vector<Attempt> attempts(bool exhaustion, const std::function<bool(const Attempt&)>& wanted) {
  std::vector<Attempt> chosen;
  try {
    chosen = builtin_attempts();
  } catch (const Error&) {
    return {};
  }
  std::erase_if(chosen, [&](const Attempt& one) {
    return (one.group == "exhaustion") != exhaustion || !wanted(one);
  });
  return chosen;
}

AttemptReport AdversarialTest::run(const Attempt& attempt, const std::set<Protection>& off) {
  BackendOptions weaker = options();
  for (const Protection one : off) {
    weaker.turn_off(unsafe::TurnOff(one, "a test tries what happens without it"));
  }
  return await(run_attempt(std::move(weaker), attempt));
}

bool machine_lacks(const AttemptReport& report) {
  if (report.verdict == Verdict::skipped) return true;
  return report.verdict != Verdict::contained && report.harm.empty() && !report.lacking.empty();
}

std::string story(const AttemptReport& report) {
  std::string text(to_string(report.verdict));
  if (!report.reason.empty()) text += ": " + report.reason;
  text += "; met:";
  for (const Met& met : report.met) text += " " + met.label() + "=" + met.word();
  return text;
}

}  // namespace testing
}  // namespace sandbox::runner
