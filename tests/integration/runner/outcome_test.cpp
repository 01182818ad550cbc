// How runs end, and how that is told.
// SPDX-License-Identifier: MIT
#include <csignal>

#include "runner_fixture.hpp"

namespace sandbox::runner::testing {
namespace {

using namespace std::chrono_literals;

class OutcomeTest : public RunnerTest {};

TEST_F(OutcomeTest, KeepsTheExactExitCode) {
  for (const int code : {0, 1, 3, 127, 255}) {
    const ExecResult result = python("import os; os._exit(" + std::to_string(code) + ")");
    EXPECT_TRUE(result.status.exited_with(code)) << result.status.sentence();
  }
}

TEST_F(OutcomeTest, NamesTheSignalThatEndedTheProgram) {
  const ExecResult result = python("import os; os.kill(os.getpid(), 11)");
  EXPECT_EQ(result.status, ExitStatus(Signaled(SIGSEGV)));
  EXPECT_EQ(result.status.shell_code(), 139);
}

TEST_F(OutcomeTest, ARealTimeSignalIsNotMistakenForAnExit) {
  const ExecResult result = python("import os; os.kill(os.getpid(), 64)");
  EXPECT_EQ(result.status, ExitStatus(Signaled(64)));
}

// SB-23: the bound is wall clock, whatever the program waits for or computes.
TEST_F(OutcomeTest, StopsASleeperAtTheWallLimitAndKeepsItsOutput) {
  ExecRequest request = python_request("import time; print('begun'); time.sleep(60)");
  request.timeout(700ms);
  const auto before = std::chrono::steady_clock::now();
  const ExecResult result = exec(request);
  EXPECT_TRUE(result.status.hit(Limit::wall_time)) << result.status.sentence();
  EXPECT_EQ(result.standard_output.bytes(), "begun\n");
  EXPECT_GE(result.usage.wall, 650ms);
  EXPECT_LT(std::chrono::steady_clock::now() - before, 30s);
  EXPECT_TRUE(result.usage.cpu_user.has_value()) << "init reports usage also when it is stopped";
}

TEST_F(OutcomeTest, StopsAProgramThatIgnoresEverySignalItCan) {
  ExecRequest request = python_request(
      "import signal\n"
      "for s in range(1, 65):\n"
      "    try: signal.signal(s, signal.SIG_IGN)\n"
      "    except (OSError, ValueError): pass\n"
      "while True: pass");
  request.timeout(500ms);
  EXPECT_TRUE(exec(request).status.hit(Limit::wall_time));
}

TEST_F(OutcomeTest, StopsAProgramThatStoppedItself) {
  ExecRequest request = python_request("import os, signal; os.kill(os.getpid(), signal.SIGSTOP)");
  request.timeout(500ms);
  EXPECT_TRUE(exec(request).status.hit(Limit::wall_time));
}

// WK-14: the sandbox outlives a timeout.
TEST_F(OutcomeTest, TheSandboxIsUsableAfterATimeout) {
  ExecRequest request = python_request("open('kept', 'w').write('x'); import time; time.sleep(60)");
  request.timeout(700ms);
  EXPECT_TRUE(exec(request).status.hit(Limit::wall_time));
  EXPECT_EQ(python("print(open('kept').read())").standard_output.bytes(), "x\n");
}

TEST_F(OutcomeTest, NamesTheCpuLimit) {
  ExecRequest request = python_request("while True: pass");
  request.limits(Limits().cpu_time(1s)).timeout(60s);
  const ExecResult result = exec(request);
  EXPECT_TRUE(result.status.hit(Limit::cpu_time)) << result.status.sentence();
}

TEST_F(OutcomeTest, ASelfInflictedCpuSignalIsNoCpuLimit) {
  ExecRequest request = python_request("import os, signal; os.kill(os.getpid(), signal.SIGXCPU)");
  request.limits(Limits().cpu_time(30s));
  EXPECT_EQ(exec(request).status, ExitStatus(Signaled(SIGXCPU)));
}

TEST_F(OutcomeTest, EndsAFloodOfOutput) {
  ExecRequest request({"sh", "-c", "exec yes"});
  request.limits(Limits().output(Bytes(4096))).timeout(60s);
  const ExecResult result = exec(request);
  EXPECT_TRUE(result.status.hit(Limit::output)) << result.status.sentence();
  EXPECT_TRUE(result.standard_output.truncated());
  EXPECT_LE(result.standard_output.bytes().size(), 4096U);
}

// SB-28.
TEST_F(OutcomeTest, AMissingProgramIs127AndOneThatMayNotRunIs126) {
  const ExecResult missing = exec(ExecRequest({"no-such-program"}));
  EXPECT_TRUE(missing.status.exited_with(127)) << missing.status.sentence();
  EXPECT_NE(missing.standard_error.bytes().find("no-such-program"), std::string::npos);
  EXPECT_TRUE(exec(ExecRequest({"/etc/passwd"})).status.exited_with(126));
}

TEST_F(OutcomeTest, ABackgroundProcessEndsWithTheProgram) {
  // It would hold stdout open for a minute.
  const auto before = std::chrono::steady_clock::now();
  const ExecResult result = python(
      "import os, time\n"
      "if os.fork() == 0:\n"
      "    os.setsid(); time.sleep(60); os._exit(0)\n"
      "print('parent done')");
  EXPECT_TRUE(result.status.exited_with(0));
  EXPECT_EQ(result.standard_output.bytes(), "parent done\n");
  EXPECT_LT(std::chrono::steady_clock::now() - before, 30s);
}

TEST_F(OutcomeTest, UsageIsMeasuredOverAllProcesses) {
  const ExecResult result = python(
      "import os, time\n"
      "if os.fork() == 0:\n"
      "    t = time.process_time()\n"
      "    while time.process_time() - t < 0.3: pass\n"
      "    os._exit(0)\n"
      "os.wait()");
  EXPECT_GE(*result.usage.cpu_user + *result.usage.cpu_system, 300ms);
  EXPECT_GT(*result.usage.memory_peak_bytes, 1U << 20U);
  EXPECT_GT(result.usage.setup.count(), 0);
}

}  // namespace
}  // namespace sandbox::runner::testing
