// How a run ended, in words and numbers.
// SPDX-License-Identifier: MIT
#include "sandbox/exit_status.hpp"

#include <gtest/gtest.h>

#include <csignal>
#include <string>
#include <vector>

namespace sandbox {
namespace {

struct StatusCase {
  ExitStatus status;
  std::string outcome;
  std::string sentence;
  int shell_code;
};

TEST(ExitStatus, HasAnOutcomeASentenceAndAShellCode) {
  const std::vector<StatusCase> cases{
      {Exited(0), "exited", "exited with code 0", 0},
      {Exited(3), "exited", "exited with code 3", 3},
      {Exited(255), "exited", "exited with code 255", 255},
      {Signaled(SIGSEGV), "signaled", "killed by SIGSEGV", 139},
      {Signaled(SIGKILL), "signaled", "killed by SIGKILL", 137},
      {LimitHit(Limit::wall_time, "5 s"), "timeout", "stopped after 5 s of wall time", 124},
      {LimitHit(Limit::cpu_time, "2 s"), "cpu_limit", "stopped after 2 s of cpu time", 137},
      {LimitHit(Limit::memory, "256 MiB"), "memory_limit", "ran out of memory (limit 256 MiB)",
       137},
      {LimitHit(Limit::output, "1 MiB"), "output_limit", "wrote more than 1 MiB of output", 137},
      {Cancelled(), "cancelled", "cancelled", 130},
      {Refused(), "refused", "refused: nothing was run", 125},
      {Lost(), "lost", "lost", 125},
  };
  for (const StatusCase& row : cases) {
    SCOPED_TRACE(row.sentence);
    EXPECT_EQ(row.status.outcome(), row.outcome);
    EXPECT_EQ(row.status.sentence(), row.sentence);
    EXPECT_EQ(row.status.shell_code(), row.shell_code);
  }
}

// SB-21
TEST(ExitStatus, KeepsTheExactCode) {
  const ExitStatus status = Exited(7);
  EXPECT_TRUE(status.exited_with(7));
  EXPECT_FALSE(status.exited_with(0));
  EXPECT_FALSE(ExitStatus(Signaled(7)).exited_with(7));
  EXPECT_FALSE(ExitStatus(Refused()).exited_with(0));
}

TEST(ExitStatus, TellsWhichLimitWasHit) {
  const ExitStatus status = LimitHit(Limit::memory, "256 MiB");
  EXPECT_TRUE(status.hit(Limit::memory));
  EXPECT_FALSE(status.hit(Limit::wall_time));
  EXPECT_FALSE(ExitStatus(Exited(137)).hit(Limit::memory));
}

TEST(ExitStatus, ComparesByKindAndValue) {
  EXPECT_EQ(ExitStatus(Exited(1)), ExitStatus(Exited(1)));
  EXPECT_NE(ExitStatus(Exited(1)), ExitStatus(Exited(2)));
  EXPECT_NE(ExitStatus(Exited(9)), ExitStatus(Signaled(9)));
}

TEST(SignalName, NamesEverySignalOfLinux) {
  EXPECT_EQ(signal_name(9), "SIGKILL");
  EXPECT_EQ(signal_name(SIGSYS), "SIGSYS");
  EXPECT_EQ(signal_name(SIGRTMIN), "SIGRTMIN");
  EXPECT_EQ(signal_name(SIGRTMIN + 3), "SIGRTMIN+3");
  EXPECT_EQ(signal_name(64), "SIGRTMIN+30");
  EXPECT_EQ(signal_name(32), "signal 32");
  EXPECT_EQ(signal_name(0), "signal 0");
  EXPECT_EQ(signal_name(65), "signal 65");
  EXPECT_EQ(signal_name(-1), "signal -1");
  for (int signal = 1; signal <= 31; ++signal) {
    EXPECT_TRUE(signal_name(signal).starts_with("SIG")) << signal;
  }
}

}  // namespace
}  // namespace sandbox
