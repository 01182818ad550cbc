// Children as they end, with what they print, and what they leave behind.
// SPDX-License-Identifier: MIT
#include "process.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cerrno>
#include <system_error>

#include "command_contestant.hpp"
#include "least_seen.hpp"

namespace sandbox::bench {
namespace {

using namespace std::chrono_literals;

Lap shell(const std::string& script) {
  return run_process({"/bin/sh", "-c", script}, {"PATH=/usr/bin:/bin"});
}

TEST(RunProcess, TellsOutputErrorsAndCode) {
  const Lap lap = shell("echo out; echo err >&2; exit 3");
  EXPECT_EQ(lap.output, "out\n");
  EXPECT_EQ(lap.error_output, "err\n");
  EXPECT_EQ(lap.exit_code, 3);
  EXPECT_GT(lap.wall, 0ns);
}

TEST(RunProcess, ShowsASignalAsAShellDoes) { EXPECT_EQ(shell("kill -9 $$").exit_code, 137); }

TEST(RunProcess, TakesMoreThanAPipeHolds) {
  const Lap lap = shell("head -c 200000 /dev/zero");
  EXPECT_EQ(lap.output.size(), 200000U);
}

TEST(RunProcess, GivesNoInputAndOnlyTheGivenEnvironment) {
  const Lap lap = run_process({"/usr/bin/env"}, {"A=1", "B=2 3"});
  EXPECT_EQ(lap.output, "A=1\nB=2 3\n");
  EXPECT_EQ(shell("cat").output, "");
}

TEST(RunProcess, NamesAProgramThatCannotBeStarted) {
  try {
    run_process({"/no/such/program"}, {});
    FAIL() << "it started";
  } catch (const std::system_error& error) {
    EXPECT_EQ(error.code().value(), ENOENT);
    EXPECT_NE(std::string(error.what()).find("/no/such/program"), std::string::npos);
  }
}

TEST(RunProcess, CountsAndTakesWhatTheProcessLeftBehind) {
  adopt_orphans();
  // The orphan works on after its parent is gone, with the pipe closed.
  const Lap lap =
      shell("(exec >&-; i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done) & echo parent is done");
  EXPECT_EQ(lap.output, "parent is done\n");
  EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1);
  EXPECT_EQ(errno, ECHILD) << "a child is left";
  EXPECT_GT(lap.cpu, lap.wall);
}

TEST(CommandContestant, PutsItsFrontBeforeTheProgram) {
  const Workload workload("echo", {"/bin/echo", "a b"}, "a b\n");
  CommandContestant plain("plain", {}, {}, CpuAccount::whole);
  EXPECT_EQ(plain.run(workload).output, "a b\n");
  CommandContestant fronted("fronted", {"/usr/bin/env", "X=1"}, {}, CpuAccount::whole);
  EXPECT_EQ(fronted.run(workload).output, "a b\n");
}

TEST(CommandContestant, CountsTheWholeTimeWhereTheKernelDoesNotTell) {
  const Workload workload("sleep", {"/bin/sleep", "0.1"}, "");
  CommandContestant whole("whole", {}, {}, CpuAccount::whole);
  EXPECT_LT(whole.run(workload).cpu, 50ms);
  CommandContestant partial("partial", {}, {}, CpuAccount::partial);
  EXPECT_GE(partial.run(workload).cpu, 100ms);
}

TEST(LeastSeen, IsKeptForEachWorkload) {
  LeastSeen least;
  EXPECT_EQ(least.of("a", 5ms), 5ms);
  EXPECT_EQ(least.of("a", 7ms), 5ms);
  EXPECT_EQ(least.of("a", 3ms), 3ms);
  EXPECT_EQ(least.of("b", 9ms), 9ms);
}

}  // namespace
}  // namespace sandbox::bench
