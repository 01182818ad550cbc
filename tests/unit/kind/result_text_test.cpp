// How the end of a program reads to a model (CA-20, MV-15, MV-19).
// SPDX-License-Identifier: MIT
#include "result_text.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sandbox::codeact {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

std::string text(ExitStatus status, std::string out, std::string err = "") {
  ExecResult result(std::move(status));
  result.standard_output = CapturedOutput(std::move(out));
  result.standard_error = CapturedOutput(std::move(err));
  return result_text(result, 120s);
}

ExitStatus hit(Limit limit, std::string limit_text) {
  return ExitStatus(LimitHit(limit, std::move(limit_text)));
}

TEST(ResultText, HasOneSectionForEachThingThatIsThere) {
  EXPECT_EQ(text(Exited(0), "42\n"), "stdout:\n42");
  EXPECT_EQ(text(Exited(0), "", "warning\n"), "stderr:\nwarning");
  EXPECT_EQ(text(Exited(3), ""), "exit code: 3");
  EXPECT_EQ(text(Exited(1), "a\nb\n\n", "Traceback\n\n"),
            "stdout:\na\nb\n\nstderr:\nTraceback\n\nexit code: 1");
}

TEST(ResultText, StripsNewlinesAtTheEndOnly) {
  EXPECT_EQ(text(Exited(0), "\n  a \r\n\n"), "stdout:\n\n  a ");
}

TEST(ResultText, SaysThatASilentProgramPrintedNothing) {  // MV-19
  for (const char* out : {"", "\n", "\r\n\n"}) {
    const std::string reply = text(Exited(0), out);
    EXPECT_THAT(reply, HasSubstr("ran and printed nothing"));
    EXPECT_THAT(reply, HasSubstr("print(...)"));
    EXPECT_THAT(reply, Not(StartsWith("Error:")));
  }
}

TEST(ResultText, NamesTheSecondsOfATimeoutAndKeepsTheOutput) {  // MV-15
  EXPECT_EQ(text(hit(Limit::wall_time, "2 min"), "step 1\n"),
            "Error: the program timed out after 120s.\n\nstdout:\nstep 1");
  EXPECT_EQ(text(hit(Limit::wall_time, "2 min"), ""), "Error: the program timed out after 120s.");
}

TEST(ResultText, NamesTheLimitThatEndedTheProgram) {
  EXPECT_EQ(text(hit(Limit::memory, "256 MiB"), "", "x"),
            "Error: the program was stopped because it needed more than its memory limit of 256 "
            "MiB.\n\nstderr:\nx");
  EXPECT_EQ(text(hit(Limit::cpu_time, "10 s"), ""),
            "Error: the program was stopped because it used up its CPU time limit of 10 s.");
  EXPECT_EQ(text(hit(Limit::output, "1 MiB"), ""),
            "Error: the program was stopped because it printed more than its output limit of 1 "
            "MiB.");
  EXPECT_EQ(text(hit(Limit::memory, ""), ""),
            "Error: the program was stopped because it needed more than its memory limit.");
}

TEST(ResultText, NamesTheSignalAndShowsItAsAShellWould) {
  EXPECT_EQ(text(Signaled(11), "a"),
            "Error: the program was ended by the signal SIGSEGV.\n\nstdout:\na\n\nexit code: 139");
}

TEST(ResultText, DoesNotCallAPlainExitAnError) {
  for (const int code : {1, 2, 124, 137, 255}) {
    EXPECT_THAT(text(Exited(code), ""), Not(StartsWith("Error:")));
  }
}

TEST(ResultText, ShowsWhereOutputWasLeftOut) {
  ExecResult result{ExitStatus(Exited(0))};
  result.standard_output = CapturedOutput("first", "last", 5000);
  const std::string reply = result_text(result, 1s);
  EXPECT_THAT(reply, StartsWith("stdout:\nfirst"));
  EXPECT_THAT(reply, HasSubstr("4991"));
  EXPECT_TRUE(reply.ends_with("last"));
}

TEST(ResultText, RepairsBytesThatAreNotUtf8) {
  EXPECT_EQ(text(Exited(0), "a\xff"), "stdout:\na\xef\xbf\xbd");
}

TEST(SecondsText, WritesAsFewDigitsAsItNeeds) {
  EXPECT_EQ(seconds_text(120s), "120s");
  EXPECT_EQ(seconds_text(1500ms), "1.5s");
  EXPECT_EQ(seconds_text(50ms), "0.05s");
  EXPECT_EQ(seconds_text(1ms), "0.001s");
  EXPECT_EQ(seconds_text(1001ms), "1.001s");
}

}  // namespace
}  // namespace sandbox::codeact
