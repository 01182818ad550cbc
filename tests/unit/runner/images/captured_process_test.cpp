// SPDX-License-Identifier: MIT
#include "captured_process.hpp"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <fstream>
#include <string>

#include "fd.hpp"
#include "image_support.hpp"

namespace sandbox::runner::test {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using ::testing::HasSubstr;

constexpr std::size_t kCap = 65536;

CapturedRun shell(const std::string& script, milliseconds deadline = seconds(20),
                  std::size_t cap = kCap) {
  return run_captured({"/bin/sh", "-c", script}, {"PATH=/usr/bin:/bin"}, deadline, cap);
}

// A zombie is over; how soon it is collected is the business of this machine's pid 1.
bool is_running(pid_t pid) {
  std::ifstream stat("/proc/" + std::to_string(pid) + "/stat");
  std::string number;
  std::string name;
  std::string state;
  return stat >> number >> name >> state && state != "Z" && state != "X";
}

// The process whose number was printed ends.
void expect_gone(const CapturedRun& run) {
  const pid_t left = std::stoi(run.out);
  for (int i = 0; i < 500 && is_running(left); ++i) ::usleep(10000);
  EXPECT_FALSE(is_running(left)) << "the background process is still there";
}

TEST(CapturedProcess, KeepsBothStreamsAndTheExitCode) {
  const CapturedRun run = shell("echo out; echo err >&2; exit 7");
  EXPECT_EQ(run.out, "out\n");
  EXPECT_EQ(run.err, "err\n");
  EXPECT_EQ(run.exit_code, 7);
  EXPECT_EQ(shell("kill -TERM $$").exit_code, 128 + SIGTERM);
}

TEST(CapturedProcess, GivesExactlyTheEnvironmentAndTheRootAsDirectory) {
  const ScopedVariable secret("SANDBOX_TEST_SECRET", "x");
  const CapturedRun run = run_captured({"/usr/bin/env"}, {"ONLY=this"}, seconds(20), kCap);
  EXPECT_EQ(run.out, "ONLY=this\n");
  EXPECT_EQ(shell("pwd").out, "/\n");
}

TEST(CapturedProcess, HandsDownNoDescriptorAndNoInput) {
  const int leaking = ::open("/etc/passwd", O_RDONLY);  // NOLINT: without O_CLOEXEC on purpose
  ASSERT_GE(leaking, 0);
  const Fd owner(leaking);
  const CapturedRun run =
      shell("readlink /proc/self/fd/0; cat; for n in 3 4 5 6 7 8 9 " + std::to_string(leaking) +
            "; do [ ! -e /proc/$$/fd/$n ] || echo $n; done");
  EXPECT_EQ(run.out, "/dev/null\n");
}

TEST(CapturedProcess, StartsWithDefaultSignals) {
  struct sigaction ignore {};
  struct sigaction before {};
  ignore.sa_handler = SIG_IGN;
  ASSERT_EQ(::sigaction(SIGTERM, &ignore, &before), 0);
  const CapturedRun run = shell("kill -TERM $$; echo survived");
  ::sigaction(SIGTERM, &before, nullptr);
  EXPECT_EQ(run.exit_code, 128 + SIGTERM);
}

TEST(CapturedProcess, EndsAtTheDeadlineWithAllItStarted) {
  const auto start = std::chrono::steady_clock::now();
  const CapturedRun run = shell("sleep 300 & echo $!; wait", milliseconds(300));
  EXPECT_TRUE(run.timed_out);
  EXPECT_LT(std::chrono::steady_clock::now() - start, seconds(10));
  expect_gone(run);
}

TEST(CapturedProcess, DoesNotWaitForABackgroundProcessThatHoldsThePipe) {
  const auto start = std::chrono::steady_clock::now();
  const CapturedRun run = shell("sleep 300 & echo $!");
  EXPECT_FALSE(run.timed_out);
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_LT(std::chrono::steady_clock::now() - start, seconds(10));
  expect_gone(run);
}

TEST(CapturedProcess, StopsAFlood) {
  for (const char* flood : {"exec yes", "exec yes >&2"}) {
    const CapturedRun run = shell(flood, seconds(20), 1000);
    EXPECT_TRUE(run.too_much_output);
    EXPECT_FALSE(run.timed_out);
    EXPECT_EQ(run.out.size() + run.err.size(), 1000U);
  }
}

TEST(CapturedProcess, SaysWhyNothingRan) {
  EXPECT_EQ(run_captured({"/nonexistent"}, {}, seconds(5), kCap).start_error, ENOENT);
  EXPECT_EQ(run_captured({"/etc/passwd"}, {}, seconds(5), kCap).start_error, EACCES);
}

TEST(CapturedProcess, WorksWhereChildrenAreCollectedByThemselves) {
  struct sigaction ignore {};
  struct sigaction before {};
  ignore.sa_handler = SIG_IGN;
  ASSERT_EQ(::sigaction(SIGCHLD, &ignore, &before), 0);
  const CapturedRun run = shell("echo out; exit 3");
  ::sigaction(SIGCHLD, &before, nullptr);
  EXPECT_EQ(run.out, "out\n");
  EXPECT_EQ(run.exit_code, std::nullopt);
}

TEST(CapturedProcess, EndsAllAtTheDeadlineWhereChildrenAreCollectedByThemselves) {
  struct sigaction ignore {};
  struct sigaction before {};
  ignore.sa_handler = SIG_IGN;
  ASSERT_EQ(::sigaction(SIGCHLD, &ignore, &before), 0);
  const CapturedRun run = shell("sleep 300 & echo $!; wait", milliseconds(300));
  ::sigaction(SIGCHLD, &before, nullptr);
  EXPECT_TRUE(run.timed_out);
  expect_gone(run);
}

TEST(CapturedProcess, WorksWithoutStandardStreams) {
  // In a child, as the streams are this test's own.
  const pid_t child = ::fork();
  if (child == 0) {
    for (const int stream : {0, 1, 2}) ::close(stream);
    const CapturedRun run = shell("echo out; echo err >&2");
    ::_exit(run.out == "out\n" && run.err == "err\n" ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

TEST(CapturedProcess, LeavesNoZombie) {
  shell("true");
  EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1);
  EXPECT_EQ(errno, ECHILD);
}

}  // namespace
}  // namespace sandbox::runner::test
