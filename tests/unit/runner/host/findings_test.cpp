// What the doctor tells of what was tried.
// SPDX-License-Identifier: MIT
#include "doctor/findings.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cerrno>
#include <set>

namespace sandbox::runner::test {
namespace {

using launcher::Probe;
using launcher::Reply;
using launcher::Step;
using ::testing::HasSubstr;

std::vector<Reply> all_well() {
  std::vector<Reply> answers(launcher::kProbes);
  for (Reply& answer : answers) answer.kind = launcher::ReplyKind::probed;
  return answers;
}

void fail(std::vector<Reply>& answers, Probe probe, Step step, int error) {
  Reply& answer = answers.at(static_cast<std::size_t>(probe));
  answer.step = step;
  answer.error = error;
}

Finding named(const std::vector<Finding>& findings, const std::string& name) {
  const auto found = std::find_if(findings.begin(), findings.end(),
                                  [&](const Finding& one) { return one.name == name; });
  if (found != findings.end()) return *found;
  ADD_FAILURE() << "no finding is called " << name;
  return {};
}

std::vector<Finding> findings_of(const std::vector<Reply>& answers,
                                 const BackendOptions& options = BackendOptions()) {
  return doctor::findings_of_probes(answers, options, HostFacts());
}

TEST(Findings, EachProbeHasANameOfItsOwnAndSaysWhatWorks) {
  const std::vector<Finding> findings = findings_of(all_well());
  EXPECT_EQ(findings.size(), launcher::kProbes);
  std::set<std::string> names;
  for (const Finding& finding : findings) {
    EXPECT_TRUE(names.insert(finding.name).second) << finding.name;
    EXPECT_EQ(finding.state, FindingState::ok) << finding.name;
    EXPECT_FALSE(finding.found.empty());
    EXPECT_EQ(finding.fix, "");
  }
}

TEST(Findings, WhatHasNoModeRefusesAndWhatIsPreferredWeakens) {
  std::vector<Reply> answers = all_well();
  fail(answers, Probe::mount_namespace, Step::sandbox_namespaces, EPERM);
  fail(answers, Probe::landlock, Step::landlock, ENOSYS);
  fail(answers, Probe::namespace_lock, Step::namespace_lock, EROFS);
  std::vector<Finding> findings = findings_of(answers);
  EXPECT_EQ(named(findings, "mount_namespace").state, FindingState::refused);
  EXPECT_EQ(named(findings, "landlock").state, FindingState::weaker);
  EXPECT_EQ(named(findings, "namespace_lock").state, FindingState::refused);
  EXPECT_THAT(named(findings, "landlock").found,
              HasSubstr("apply Landlock: Function not implemented [step 88 landlock]"));
  EXPECT_THAT(named(findings, "landlock").fix, HasSubstr("5.13"));

  BackendOptions options;
  options.protect(Protection::landlock, Mode::required);
  options.protect(Protection::namespace_lock, Mode::preferred);
  findings = findings_of(answers, options);
  EXPECT_EQ(named(findings, "landlock").state, FindingState::refused);
  EXPECT_EQ(named(findings, "namespace_lock").state, FindingState::weaker);
}

// One cause is told once, where it is, and not again for all that comes after it.
TEST(Findings, WhatNeedsTheUserNamespaceSaysSo) {
  std::vector<Reply> answers = all_well();
  for (Reply& answer : answers) {
    answer.step = Step::user_namespace;
    answer.error = EPERM;
  }
  const std::vector<Finding> findings = findings_of(answers);
  EXPECT_THAT(named(findings, "user_namespace").found, HasSubstr("step 16"));
  EXPECT_NE(named(findings, "user_namespace").fix, "");
  EXPECT_THAT(named(findings, "net_namespace").found, HasSubstr("could not be tried"));
  EXPECT_EQ(named(findings, "net_namespace").state, FindingState::refused);
  EXPECT_EQ(named(findings, "net_namespace").fix, "");
}

TEST(Findings, AWholeProcIsOfNoWeight) {
  std::vector<Reply> answers = all_well();
  fail(answers, Probe::full_proc, Step::proc_mount, EPERM);
  EXPECT_EQ(named(findings_of(answers), "proc_full").state, FindingState::note);
}

TEST(Findings, ALauncherThatEndsOnTheWayLeavesNothingUnsaid) {
  std::vector<Reply> answers = all_well();
  answers.resize(3);
  const std::vector<Finding> findings = findings_of(answers);
  EXPECT_EQ(findings.size(), launcher::kProbes);
  EXPECT_EQ(named(findings, "seccomp").state, FindingState::refused);
  EXPECT_THAT(named(findings, "seccomp").found, HasSubstr("no answer"));
}

TEST(Findings, CgroupsAreThereOrTheReasonIsSplitFromTheFix) {
  EXPECT_EQ(doctor::finding_of_cgroups("/sys/fs/cgroup/x", "", Mode::preferred).state,
            FindingState::ok);
  const Finding none =
      doctor::finding_of_cgroups("", "no memory here; boot otherwise; or not", Mode::preferred);
  EXPECT_EQ(none.state, FindingState::weaker);
  EXPECT_THAT(none.found, HasSubstr("as no memory here"));
  EXPECT_EQ(none.fix, "boot otherwise; or not");
  EXPECT_EQ(doctor::finding_of_cgroups("", "x", Mode::required).state, FindingState::refused);
  EXPECT_EQ(doctor::finding_of_cgroups("", "", Mode::off).state, FindingState::note);
}

TEST(Findings, WhoGuestsAreOutsideIsTold) {
  OutsideIdentity user;
  user.uid = 1001;
  EXPECT_THAT(named(doctor::findings_of_host(HostFacts(), user), "identity").found,
              HasSubstr("uid 1001"));
  OutsideIdentity only_root;
  only_root.only_root_exists = true;
  EXPECT_THAT(named(doctor::findings_of_host(HostFacts(), only_root), "identity").found,
              HasSubstr("no other id"));
}

}  // namespace
}  // namespace sandbox::runner::test
