// Limits of the whole run by cgroup v2. Skipped where no cgroup is to be had; scripts/test-vm runs
// them on a kernel that has all of it.
// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <mutex>
#include <string>
#include <thread>

#include "cgroup_search.hpp"
#include "fd.hpp"
#include "runner_fixture.hpp"
#include "systemd_scope.hpp"
#include "whole_run_programs.hpp"

namespace sandbox::runner::testing {
namespace {

namespace fs = std::filesystem;
using ::testing::Contains;
using ::testing::Field;
using ::testing::HasSubstr;

// A search moves the launcher that it is given, so it is given a process of no other use.
CgroupSearch search_with_a_process() {
  const pid_t process = ::fork();
  if (process == 0) {
    ::pause();
    ::_exit(0);
  }
  CgroupSearch found = find_cgroup_home(std::nullopt, process);
  ::kill(process, SIGKILL);
  ::waitpid(process, nullptr, 0);
  return found;
}

class CgroupTest : public RunnerTest {
 protected:
  static void SetUpTestSuite() { why_none_ = search_with_a_process().reason; }

  void SetUp() override {
    if (!why_none_.empty()) GTEST_SKIP() << "no cgroup: " << why_none_;
    RunnerTest::SetUp();
    options().protect(Protection::cgroup, Mode::required);
    options().log([this](LogLevel, std::string_view text) { note_home(text); });
    is_ready_ = true;
  }
  void TearDown() override {
    if (!is_ready_) return;
    const bool was_used = !home().empty();
    RunnerTest::TearDown();
    if (!was_used) return;
    EXPECT_FALSE(fs::exists(home())) << "a cgroup is left over";
    if (!is_scope()) return;
    EXPECT_TRUE(goes_away(parent())) << parent() << " outlives its launcher";
  }

  // Where the backend of this test makes the cgroups of its runs; as it logs it.
  fs::path home() const {
    const std::lock_guard lock(mutex_);
    return home_;
  }
  fs::path parent() const { return home().parent_path(); }
  // One that was made for the backend, not one that the test itself is in.
  bool is_scope() const {
    const std::string name = parent().filename().string();
    return name.starts_with("libsandbox.") && name.ends_with(".scope");
  }

  static bool goes_away(const fs::path& path) {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(10);
    while (fs::exists(path)) {
      if (std::chrono::steady_clock::now() > deadline) return false;
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    return true;
  }

  ExecResult run(const std::string& source, const Limits& limits) {
    ExecRequest request = python_request(source);
    request.limits(limits).timeout(std::chrono::seconds(60));
    return exec(request);
  }

 private:
  void note_home(std::string_view text) {
    constexpr std::string_view kStart = "cgroups of runs: below ";
    if (!text.starts_with(kStart)) return;
    const std::lock_guard lock(mutex_);
    home_ = text.substr(kStart.size());
  }

  static std::string why_none_;
  mutable std::mutex mutex_;
  fs::path home_;
  bool is_ready_ = false;
};

std::string CgroupTest::why_none_;

// What the kernel counts, the same wherever the cgroup is.
class CgroupLimitsTest : public CgroupTest {};

TEST_F(CgroupTest, TheReceiptSaysSoAndCountsTheRun) {
  const ExecResult result = python("b = bytearray(40 << 20); sum(range(3000000))");
  EXPECT_TRUE(result.status.exited_with(0)) << result.status.sentence();
  EXPECT_EQ(result.enforced.memory, "cgroup");
  EXPECT_EQ(result.enforced.protections.at("cgroup"), "on");
  EXPECT_GT(result.usage.memory_peak_bytes.value_or(0), 40U << 20U);
  EXPECT_GT(result.usage.cpu_user.value_or(std::chrono::microseconds(0)).count(), 1000);
}

// Each process stays below the limit; together they do not.
TEST_F(CgroupTest, MemoryOfAllProcessesTogetherIsLimited) {
  const ExecResult result = run(kMemoryOfSixProcesses, Limits().memory(Bytes(96ULL << 20U)));
  EXPECT_TRUE(result.status.hit(Limit::memory)) << result.status.sentence();
}

TEST_F(CgroupLimitsTest, SharedMemoryWithoutAFileCountsToo) {
  const ExecResult result = run(kSharedMemoryWithoutAFile, Limits().memory(Bytes(96ULL << 20U)));
  EXPECT_TRUE(result.status.hit(Limit::memory)) << result.status.sentence();
}

TEST_F(CgroupLimitsTest, FilesInMemoryCountToo) {
  const ExecResult result =
      run("for i in range(200): open('/work/f%d' % i, 'wb').write(b'x' * (1 << 20))",
          Limits().memory(Bytes(96ULL << 20U)));
  EXPECT_TRUE(result.status.hit(Limit::memory)) << result.status.sentence();
}

// A parent that ignores SIGCHLD hides what its children used from wait(2) (hardening M12).
TEST_F(CgroupLimitsTest, CpuTimeOfChildrenThatNobodyWaitsForCounts) {
  const ExecResult result =
      run("import os, signal, time\n"
          "signal.signal(signal.SIGCHLD, signal.SIG_IGN)\n"
          "while True:\n"
          "    if os.fork() == 0:\n"
          "        end = time.process_time() + 0.003\n"
          "        while time.process_time() < end: pass\n"
          "        os._exit(0)\n"
          "    time.sleep(0.002)",
          Limits().cpu_time(std::chrono::milliseconds(1000)));
  EXPECT_TRUE(result.status.hit(Limit::cpu_time)) << result.status.sentence();
}

TEST_F(CgroupTest, TheProcessLimitIsToldAndEndsNothing) {
  const ExecResult result =
      run("import os, time\n"
          "try:\n"
          "    for i in range(200):\n"
          "        if os.fork() == 0: time.sleep(20); os._exit(0)\n"
          "except BlockingIOError: print('EAGAIN', i)",
          Limits().processes(20));
  EXPECT_EQ(result.standard_output.bytes(), "EAGAIN 19\n");
  EXPECT_THAT(result.denied, Contains(Field(&DeniedCall::call, "processes")));
}

TEST_F(CgroupTest, ARunHasALeafOfItsOwnThatGoesWithIt) {
  const ExecResult result = python("print(open('/proc/self/cgroup').read(), end='')");
  EXPECT_THAT(result.standard_output.bytes(), HasSubstr("0::/\n"));
  for (const auto& entry : fs::directory_iterator(home())) {
    EXPECT_FALSE(entry.is_directory()) << entry.path();
  }
}

// SANDBOX_TEST_CGROUP says what the test's surroundings allow (scripts/vm/guest.sh).
TEST_F(CgroupTest, WhereNothingIsDelegatedSystemdMakesAScope) {
  const char* said = std::getenv("SANDBOX_TEST_CGROUP");
  if (said == nullptr) GTEST_SKIP() << "only where SANDBOX_TEST_CGROUP says what to expect";
  (void)backend();
  EXPECT_EQ(is_scope(), std::string_view(said) == "scope") << home();
}

// As after a crash of the host process.
TEST_F(CgroupTest, WhatADeadProcessLeftIsRemovedAtTheNextStart) {
  (void)backend();
  const fs::path stale = parent() / "libsandbox-999999999-1-0";
  fs::create_directory(stale);
  fs::create_directory(stale / "run-0");
  const CgroupSearch next = find_cgroup_home(parent().string(), 0);
  EXPECT_TRUE(next.home) << next.reason;
  EXPECT_FALSE(fs::exists(stale));
  EXPECT_TRUE(fs::exists(home())) << "of a process that lives";
}

TEST_F(CgroupTest, ADirectoryThatIsNoneIsRefusedByName) {
  options().cgroup("/tmp");
  try {
    backend();
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.sandbox_code(), errc::protection_unavailable);
    EXPECT_THAT(error.what(), HasSubstr("/tmp"));
  }
}

TEST_F(CgroupLimitsTest, CpusAreSharedOut) {
  options().cpus(0.25);
  const ExecResult result =
      run("import time\n"
          "end = time.process_time() + 0.5\n"
          "while time.process_time() < end: pass",
          Limits());
  EXPECT_TRUE(result.status.exited_with(0));
  EXPECT_GT(result.usage.wall, std::chrono::milliseconds(1200));
}

// A bus of the test's own in place of systemd's.
class SystemdScopeTest : public ::testing::Test {
 protected:
  void SetUp() override {
    const std::string users = "/run/user/" + std::to_string(::geteuid()) + "/bus";
    if (::geteuid() != 0 && fs::exists(users)) GTEST_SKIP() << "this user's own bus comes first";
    for (const char* name : kVariables) ::setenv(name, ("unix:path=" + path_.string()).c_str(), 1);
  }
  void TearDown() override {
    for (const char* name : kVariables) ::unsetenv(name);
    fs::remove(path_);
  }

  // Takes connections and never says a word.
  Fd listen() const {
    Fd socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    path_.string().copy(&address.sun_path[0], sizeof address.sun_path - 1);
    const auto* raw = reinterpret_cast<const sockaddr*>(&address);
    EXPECT_EQ(::bind(socket.get(), raw, sizeof address), 0);
    EXPECT_EQ(::listen(socket.get(), 1), 0);
    return socket;
  }

  static std::string refusal() {
    try {
      return "a scope: " + enter_systemd_scope(::getpid());
    } catch (const Error& error) {
      EXPECT_EQ(error.sandbox_code(), errc::protection_unavailable);
      return error.what();
    }
  }

 private:
  static constexpr const char* kVariables[] = {"DBUS_SYSTEM_BUS_ADDRESS",
                                               "DBUS_SESSION_BUS_ADDRESS"};
  const fs::path path_ = fs::temp_directory_path() / ("sandbox-bus-" + std::to_string(::getpid()));
};

TEST_F(SystemdScopeTest, WithoutABusItSaysWhatWouldMendIt) {
  const std::string said = refusal();
  EXPECT_THAT(said, HasSubstr("No such file or directory"));
  EXPECT_THAT(said, HasSubstr(::geteuid() == 0 ? "is D-Bus running" : "loginctl enable-linger"));
}

TEST_F(SystemdScopeTest, ABusThatDoesNotAnswerIsNotWaitedForLong) {
  const Fd bus = listen();
  const auto start = std::chrono::steady_clock::now();
  EXPECT_THAT(refusal(), HasSubstr("timed out"));
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(10));
}

}  // namespace
}  // namespace sandbox::runner::testing
