// What an attempt told, and what that means.
// SPDX-License-Identifier: MIT
#include "selftest/verdict.hpp"

#include <gmock/gmock.h>

#include <csignal>

namespace sandbox::runner {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

Told told_by(const std::string& output) { return Told(CapturedOutput(output)); }

Attempt attempt_of_two() {
  Attempt attempt;
  attempt.expectations.emplace_back("a", std::vector<std::string>{"EPERM", "ENOSYS"});
  attempt.expectations.emplace_back("b", std::vector<std::string>{"ok"});
  attempt.expectations_without[Protection::seccomp].emplace_back(
      "a", std::vector<std::string>{"ENOSPC"});
  attempt.expectations_without[Protection::landlock].emplace_back(
      "a", std::vector<std::string>{"EACCES"});
  attempt.outcomes = {"exited", "signaled:SIGSYS"};
  return attempt;
}

ExecResult ended(ExitStatus status, const std::string& error_output = "") {
  ExecResult result(std::move(status));
  result.standard_error = CapturedOutput(error_output);
  return result;
}

Judgement judged(const std::string& output, const ExecResult& result = ended(Exited(0)),
                 const std::set<Protection>& off = {}) {
  return judge(attempt_of_two(), off, told_by(output), result);
}

TEST(Told, ReadsLabelsInOrder) {
  const Told told = told_by("noise\n@@ a EPERM\n@@ b ok\n@@ a ENOSYS");
  EXPECT_THAT(told.met(), ElementsAre(Met("a", "EPERM"), Met("b", "ok"), Met("a", "ENOSYS")));
  EXPECT_EQ(told.malformed(), 0U);
}

TEST(Told, CountsWhatIsNoPlainLine) {
  const std::string nul("@@ a E\0M\n", 9);
  EXPECT_EQ(told_by("@@ a\n").malformed(), 1U);
  EXPECT_EQ(told_by("@@ a b c\n").malformed(), 1U);
  EXPECT_EQ(told_by("@@ a \x1b[2J\n").malformed(), 1U);
  EXPECT_EQ(told_by("@@ a \xff\n").malformed(), 1U);
  EXPECT_EQ(told_by(nul).malformed(), 1U);
  EXPECT_EQ(told_by("@@ " + std::string(65, 'a') + " ok\n").malformed(), 1U);
  EXPECT_EQ(told_by("@@a ok\n@@\n\n").malformed(), 0U);
}

TEST(Told, IsBounded) {
  std::string flood;
  for (int i = 0; i < 1001; ++i) flood += "@@ a EPERM\n";
  const Told told = told_by(flood);
  EXPECT_THAT(told.met(), SizeIs(1000));
  EXPECT_TRUE(told.overflowed());
}

TEST(Told, LeavesOutTheLinesAtTheCut) {
  const Told told(CapturedOutput("@@ a EPERM\n@@ b wor", "@@ b part\n@@ b ok\n", 100));
  EXPECT_THAT(told.met(), ElementsAre(Met("a", "EPERM"), Met("b", "ok")));
  EXPECT_EQ(told.malformed(), 0U);
}

TEST(Verdict, ContainedIsAllMetAndAccepted) {
  const Judgement judgement = judged("@@ a EPERM\n@@ b ok\n");
  EXPECT_EQ(judgement.verdict(), Verdict::contained);
  EXPECT_THAT(judgement.reason(), IsEmpty());
  EXPECT_EQ(judged("@@ a ENOSYS\n@@ b ok\n", ended(Signaled(SIGSYS))).verdict(),
            Verdict::contained);
}

TEST(Verdict, WorkedIsEscapedWhateverElseIsWrong) {
  const Judgement judgement = judged("@@ a EINVAL\n@@ x y z\n@@ a worked\n", ended(Exited(1)));
  EXPECT_EQ(judgement.verdict(), Verdict::escaped);
  EXPECT_EQ(judgement.reason(), "a worked");
  // A label that nobody announced is no excuse.
  EXPECT_EQ(judged("@@ a EPERM\n@@ b ok\n@@ c worked\n").verdict(), Verdict::escaped);
}

TEST(Verdict, WorkedMayBeAccepted) {
  Attempt attempt = attempt_of_two();
  attempt.expectations.emplace_back("c", std::vector<std::string>{"worked"});
  const Told told = told_by("@@ a EPERM\n@@ b ok\n@@ c worked\n");
  EXPECT_EQ(judge(attempt, {}, told, ended(Exited(0))).verdict(), Verdict::contained);
}

TEST(Verdict, WhatNobodyForesawIsBroken) {
  const auto expect_broken = [](const Judgement& judgement, const char* reason) {
    EXPECT_EQ(judgement.verdict(), Verdict::broken);
    EXPECT_THAT(judgement.reason(), HasSubstr(reason));
  };
  expect_broken(judged("@@ a EINVAL\n@@ b ok\n"), "a met EINVAL, not ENOSYS or EPERM");
  expect_broken(judged("@@ a EPERM\n@@ a EINVAL\n@@ b ok\n"), "a met EINVAL");
  expect_broken(judged("@@ a EPERM\n"), "b was not met");
  expect_broken(judged("@@ a EPERM\n@@ b ok\n@@ c EPERM\n"), "does not announce");
  expect_broken(judged("@@ a EPERM\n@@ b ok\n@@ c\n"), "not '@@ label word'");
  expect_broken(judged("@@ a EPERM\n@@ b ok\n", ended(Exited(1), "one\nKeyError: \x1b\n")),
                "exited with code 1: KeyError: \\x1b");
  expect_broken(judged("@@ a EPERM\n@@ b ok\n", ended(LimitHit(Limit::wall_time, "3 s"))), "3 s");
}

TEST(Verdict, AModuleThatTheImageLacksIsSkipped) {
  const ExecResult result =
      ended(Exited(1), "Traceback\nModuleNotFoundError: No module named 'ctypes'\n");
  const Judgement judgement = judged("", result);
  EXPECT_EQ(judgement.verdict(), Verdict::skipped);
  EXPECT_THAT(judgement.reason(), HasSubstr("'ctypes'"));
}

TEST(Verdict, TheWordsDependOnWhatIsOff) {
  const ExecResult good = ended(Exited(0));
  const std::string denied = "@@ a EPERM\n@@ b ok\n";
  const std::string no_space = "@@ a ENOSPC\n@@ b ok\n";
  const std::string no_access = "@@ a EACCES\n@@ b ok\n";
  const std::set<Protection> both = {Protection::seccomp, Protection::landlock};
  EXPECT_EQ(judged(no_space, good).verdict(), Verdict::broken);
  EXPECT_EQ(judged(no_space, good, {Protection::seccomp}).verdict(), Verdict::contained);
  EXPECT_EQ(judged(denied, good, {Protection::seccomp}).verdict(), Verdict::broken);
  EXPECT_EQ(judged(no_access, good, {Protection::seccomp}).verdict(), Verdict::broken);
  EXPECT_EQ(judged(no_space, good, both).verdict(), Verdict::contained);
  EXPECT_EQ(judged(no_access, good, both).verdict(), Verdict::contained);
  EXPECT_EQ(judged(denied, good, {Protection::no_exec}).verdict(), Verdict::contained);
}

TEST(Verdict, OutcomesHaveWords) {
  EXPECT_EQ(outcome_word(Exited(0)), "exited");
  EXPECT_EQ(outcome_word(Exited(3)), "exited:3");
  EXPECT_EQ(outcome_word(Signaled(SIGSYS)), "signaled:SIGSYS");
  EXPECT_EQ(outcome_word(LimitHit(Limit::wall_time, "1 s")), "timeout");
  EXPECT_EQ(outcome_word(LimitHit(Limit::memory, "1 GiB")), "memory_limit");
  EXPECT_EQ(outcome_word(LimitHit(Limit::cpu_time, "1 s")), "cpu_limit");
  EXPECT_EQ(outcome_word(LimitHit(Limit::output, "1 MiB")), "output_limit");
}

}  // namespace
}  // namespace sandbox::runner
