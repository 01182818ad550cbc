// Each protection that has a mode: what it changes for a program, with it and without it.
// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>
#include <linux/keyctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <cmath>
#include <future>

#include "runner_fixture.hpp"
#include "sandbox/runner/unsafe.hpp"
#include "whole_run_programs.hpp"

namespace sandbox::runner::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr const char* kPrelude =
    "import ctypes, errno, mmap, os, resource, shutil, socket, subprocess, time\n"
    "libc = ctypes.CDLL(None, use_errno=True)\n"
    "def told(action):\n"
    "    try: return 'yes' if action() is not False else 'no'\n"
    "    except OSError as e: return errno.errorcode[e.errno]\n"
    "def status(name):\n"
    "    return [l.split()[1] for l in open('/proc/self/status') if l.startswith(name)][0]\n"
    "def unshare(flag):\n"
    "    if libc.unshare(flag) != 0: raise OSError(ctypes.get_errno(), '')\n"
    "def copied(path):\n"
    "    shutil.copy('/bin/true', path); os.chmod(path, 0o755); subprocess.run([path])\n";

struct Difference {
  Protection protection;
  const char* program;  // after the prelude
  const char* with;
  const char* without;
  bool behind_seccomp = false;  // the filter would hide it
};

// So that a failure names the protection.
void PrintTo(const Difference& difference, std::ostream* out) {
  *out << to_string(difference.protection);
}

constexpr Difference kDifferences[] = {
    {Protection::seccomp, "print(told(lambda: socket.socket()))", "EAFNOSUPPORT\n", "yes\n"},
    {Protection::landlock, "print(told(lambda: open('/dev/zero', 'wb')))", "EACCES\n", "yes\n"},
    {Protection::inner_user_namespace, "print(open('/proc/self/uid_map').read().split()[1] == '0')",
     "True\n", "False\n"},
    {Protection::namespace_lock, "print(told(lambda: unshare(0x10000000)))", "ENOSPC\n", "yes\n",
     true},
    {Protection::capabilities, "print(int(status('CapBnd:'), 16) == 0)", "True\n", "False\n"},
    {Protection::process_view, "print(os.path.exists('/proc/meminfo'))", "False\n", "True\n"},
    {Protection::no_exec, "print(told(lambda: copied('/work/copy')))", "EACCES\n", "yes\n"},
    {Protection::write_xor_execute, "print(told(lambda: mmap.mmap(-1, 4096, prot=7)))", "EACCES\n",
     "yes\n"},
    {Protection::resource_limits, "print(resource.getrlimit(resource.RLIMIT_NOFILE)[1] == 77)",
     "True\n", "False\n"},
    {Protection::inode_limits, "print(os.statvfs('/work').f_files > 0)", "True\n", "False\n"},
};

// Without the one protection, and without the filter where that would be the one to answer.
void turn_off(BackendOptions& options, Protection protection) {
  options.turn_off(unsafe::TurnOff(protection, "a test of what it changes"));
}

// Asked of the kernel itself: that we did not apply it is no reason to skip.
bool kernel_has(Protection protection) {
  constexpr int kGetMdwe = 66;         // PR_GET_MDWE
  constexpr unsigned kAskVersion = 1;  // LANDLOCK_CREATE_RULESET_VERSION
  if (protection == Protection::write_xor_execute) return ::prctl(kGetMdwe, 0, 0, 0, 0) >= 0;
  if (protection == Protection::landlock) {
    return ::syscall(SYS_landlock_create_ruleset, nullptr, 0, kAskVersion) > 0;
  }
  return true;
}

class ProtectionTest : public RunnerTest, public ::testing::WithParamInterface<Difference> {
 protected:
  ExecResult run(const std::string& source) {
    ExecRequest request = python_request(kPrelude + source);
    request.limits(Limits().open_files(77));
    return exec(request);
  }

  static std::string state(const ExecResult& result, Protection protection) {
    return result.enforced.protections.at(std::string(to_string(protection)));
  }
};

TEST_P(ProtectionTest, WithItTheProgramIsStopped) {
  if (GetParam().behind_seccomp) turn_off(options(), Protection::seccomp);
  const ExecResult result = run(GetParam().program);
  if (!kernel_has(GetParam().protection)) {
    EXPECT_EQ(state(result, GetParam().protection), "unavailable");
    GTEST_SKIP() << to_string(GetParam().protection) << " is not to be had on this kernel";
  }
  EXPECT_EQ(state(result, GetParam().protection), "on");
  EXPECT_EQ(result.standard_output.bytes(), GetParam().with) << result.standard_error.text();
}

TEST_P(ProtectionTest, WithoutItTheProgramIsNot) {
  if (GetParam().behind_seccomp) turn_off(options(), Protection::seccomp);
  turn_off(options(), GetParam().protection);
  const ExecResult result = run(GetParam().program);
  EXPECT_EQ(state(result, GetParam().protection), "off");
  EXPECT_EQ(result.standard_output.bytes(), GetParam().without) << result.standard_error.text();
}

INSTANTIATE_TEST_SUITE_P(Modes, ProtectionTest, ::testing::ValuesIn(kDifferences),
                         [](const auto& tested) {
                           return std::string(to_string(tested.param.protection));
                         });

class ModesTest : public ProtectionTest {
 protected:
  // How far the guest's clock is behind ours, in seconds.
  double clock_difference(const char* name, clockid_t clock) {
    const ExecResult result = run(std::string("print(time.clock_gettime(time.") + name + "))");
    timespec now{};
    ::clock_gettime(clock, &now);
    return static_cast<double>(now.tv_sec) - std::stod(result.standard_output.bytes());
  }

  std::string session_keyring() {
    return run("libc.syscall.restype = ctypes.c_long\n"
               "number = {'x86_64': 250, 'aarch64': 219}[os.uname().machine]\n"
               "print(libc.syscall(number, 0, -3, 0))")
        .standard_output.bytes();
  }
};

constexpr double kLongAgo = 60;  // seconds that this machine has been up at the least

TEST_F(ModesTest, TheClocksOfASandboxBeginWithIt) {
  timespec now{};
  ::clock_gettime(CLOCK_BOOTTIME, &now);
  if (static_cast<double>(now.tv_sec) < 2 * kLongAgo)
    GTEST_SKIP() << "this machine has just booted";
  EXPECT_GT(clock_difference("CLOCK_BOOTTIME", CLOCK_BOOTTIME), kLongAgo);
  EXPECT_GT(clock_difference("CLOCK_MONOTONIC", CLOCK_MONOTONIC), kLongAgo);
}

TEST_F(ModesTest, WithoutATimeNamespaceTheyAreTheHosts) {
  turn_off(options(), Protection::time_namespace);
  EXPECT_LT(std::abs(clock_difference("CLOCK_BOOTTIME", CLOCK_BOOTTIME)), kLongAgo);
}

// The keyring of the thread that makes all others, so that the launcher is born with it.
class KeyringTest : public ModesTest {
 protected:
  void SetUp() override {
    ours_ = std::to_string(::syscall(SYS_keyctl, KEYCTL_JOIN_SESSION_KEYRING, nullptr)) + "\n";
    ModesTest::SetUp();
    turn_off(options(), Protection::seccomp);
  }

  std::string ours_;
};

TEST_F(KeyringTest, TheHostsSessionKeyringIsNotTheGuests) { EXPECT_NE(session_keyring(), ours_); }

TEST_F(KeyringTest, WithoutTheProtectionItIs) {
  turn_off(options(), Protection::session_keyring);
  EXPECT_EQ(session_keyring(), ours_);
}

TEST_F(ModesTest, RefusedCallsAreCountedAndToldInPlainWords) {
  const ExecResult result = run(
      "for i in range(3): told(lambda: socket.socket())\n"
      "told(lambda: unshare(0x10000000))\n"
      "subprocess.run(['python3', '-c', 'import os\\ntry: os.setuid(0)\\nexcept OSError: pass'])");
  ASSERT_EQ(result.denied.size(), 3U) << result.standard_error.text();
  EXPECT_EQ(result.denied[0].call, "socket");
  EXPECT_EQ(result.denied[0].count, 3U);
  EXPECT_EQ(result.denied[0].arguments[0], 2U) << "AF_INET";
  EXPECT_EQ(result.denied[0].sentence,
            "tried to open a network socket; this sandbox has no network");
  EXPECT_EQ(result.denied[1].call, "unshare");
  EXPECT_EQ(result.denied[1].arguments[0], 0x10000000U);
  EXPECT_EQ(result.denied[2].call, "setuid") << "of a grandchild";
}

TEST_F(ModesTest, WithoutAnObserverTheAnswersAreTheSameAndNobodyCounts) {
  turn_off(options(), Protection::denied_calls);
  const ExecResult result = run("print(told(lambda: socket.socket()))");
  EXPECT_EQ(result.standard_output.bytes(), "EAFNOSUPPORT\n");
  EXPECT_TRUE(result.denied.empty());
}

TEST_F(ModesTest, AnOrdinaryProgramIsRefusedNothing) {
  const ExecResult result = run(
      "import asyncio, json, tempfile, threading, multiprocessing.shared_memory\n"
      "t = threading.Thread(target=print); t.start(); t.join()\n"
      "subprocess.run(['true']); tempfile.TemporaryFile().close(); asyncio.run(asyncio.sleep(0))");
  EXPECT_TRUE(result.status.exited_with(0)) << result.standard_error.text();
  for (const DeniedCall& call : result.denied) ADD_FAILURE() << call.call << ": " << call.sentence;
}

// A program that hammers on a refused call slows itself down, and ends with its deadline.
TEST_F(ModesTest, AFloodOfRefusedCallsEndsAtTheDeadline) {
  ExecRequest request = python_request(std::string(kPrelude) +
                                       "for i in range(4): os.fork()\n"
                                       "while True: told(lambda: socket.socket())");
  request.timeout(std::chrono::seconds(1));
  const ExecResult result = exec(request);
  EXPECT_TRUE(result.status.hit(Limit::wall_time)) << result.status.sentence();
  ASSERT_FALSE(result.denied.empty());
  EXPECT_GT(result.denied[0].count, 100U);
}

TEST_F(ModesTest, ARequiredProtectionThatIsNotToBeHadRefusesTheStartByName) {
  const ExecResult usual = python("pass");
  close_backend();
  for (const Protection which : {Protection::core_scheduling, Protection::cgroup}) {
    if (state(usual, which) != "unavailable") continue;
    options() = BackendOptions();
    options().protect(which, Mode::required);
    try {
      backend();
      ADD_FAILURE() << to_string(which);
    } catch (const Error& error) {
      EXPECT_EQ(error.sandbox_code(), errc::protection_unavailable) << error.what();
      EXPECT_THAT(error.what(), HasSubstr(which == Protection::cgroup ? "cgroup" : "core"));
    }
  }
}

// What a run may use as a whole, where no cgroup counts it.
class WholeRunTest : public RunnerTest {
 protected:
  void SetUp() override {
    RunnerTest::SetUp();
    options().turn_off(unsafe::TurnOff(Protection::cgroup, "a test of what is there without it"));
  }

  ExecResult run(const std::string& source, const Limits& limits) {
    ExecRequest request = python_request(source);
    request.limits(limits).timeout(std::chrono::seconds(30));
    return exec(request);
  }
};

TEST_F(WholeRunTest, MemoryOfAllProcessesTogetherIsWatched) {
  const ExecResult result = run(kMemoryOfSixProcesses, Limits().memory(Bytes(128ULL << 20U)));
  EXPECT_TRUE(result.status.hit(Limit::memory)) << result.status.sentence();
}

TEST_F(WholeRunTest, SharedMemoryWithoutAFileIsWatched) {
  const ExecResult result = run(kSharedMemoryWithoutAFile, Limits().memory(Bytes(128ULL << 20U)));
  EXPECT_TRUE(result.status.hit(Limit::memory)) << result.status.sentence();
}

// Pages that fork() shares are there once, however many processes show them.
TEST_F(WholeRunTest, WhatForkSharesCountsOnce) {
  const ExecResult result =
      run("import os, time\n"
          "b = bytearray(os.urandom(1 << 20) * 60)\n"
          "for i in range(8):\n"
          "    if os.fork() == 0: time.sleep(0.5); os._exit(0)\n"
          "for i in range(8): os.wait()",
          Limits().memory(Bytes(192ULL << 20U)));
  EXPECT_TRUE(result.status.exited_with(0)) << result.status.sentence();
}

// Between vfork and exec two processes live in one memory; a child that ends while it is looked at
// has none.
TEST_F(WholeRunTest, ChildrenOfALargeProcessAreNotTakenForMemory) {
  const ExecResult result =
      run("import os, subprocess, time\n"
          "b = bytearray(110 << 20)\n"
          "for i in range(0, len(b), 4096): b[i] = 1\n"
          "end = time.monotonic() + 2\n"
          "while time.monotonic() < end:\n"
          "    subprocess.run(['true'])\n"
          "    for i in range(4):\n"
          "        if os.fork() == 0: time.sleep(0.005); os._exit(0)\n"
          "    for i in range(4): os.wait()",
          Limits().memory(Bytes(192ULL << 20U)));
  EXPECT_TRUE(result.status.exited_with(0)) << result.status.sentence();
}

TEST_F(WholeRunTest, AnInputThatIsMappedIsNotTheRunsMemory) {
  await(sandbox()->write_file("big", std::string(60U << 20U, 'x'), "/work"));
  const ExecResult result =
      run("import mmap, time\n"
          "f = open('/work/big', 'rb')\n"
          "m = mmap.mmap(f.fileno(), 0, prot=mmap.PROT_READ)\n"
          "for i in range(0, len(m), 4096): m[i]\n"
          "time.sleep(0.3)",
          Limits().memory(Bytes(48ULL << 20U)));
  EXPECT_TRUE(result.status.exited_with(0)) << result.status.sentence();
}

// A process whose first thread has ended shows no memory in its own name.
TEST_F(WholeRunTest, MemoryOfAProcessWithoutItsFirstThreadIsSeen) {
  const ExecResult result =
      run("import ctypes, os, threading, time\n"
          "exit_thread = {'x86_64': 60, 'aarch64': 93}[os.uname().machine]\n"
          "def hold():\n"
          "    time.sleep(0.1); b = bytearray(os.urandom(1 << 20) * 50); time.sleep(20)\n"
          "for i in range(4):\n"
          "    if os.fork() == 0:\n"
          "        threading.Thread(target=hold).start()\n"
          "        ctypes.CDLL(None).syscall(exit_thread, 0)\n"
          "time.sleep(20)",
          Limits().memory(Bytes(128ULL << 20U)));
  EXPECT_TRUE(result.status.hit(Limit::memory)) << result.status.sentence();
}

// hardening M12: each process stays below the limit.
TEST_F(WholeRunTest, CpuTimeOfAChainOfForksIsOneSum) {
  const std::string chain =
      "import os, time\n"
      "def link(n):\n"
      "    end = time.process_time() + 0.4\n"
      "    while time.process_time() < end: pass\n"
      "    if n and os.fork() == 0: link(n - 1)\n"
      "    elif n: os._exit(0)\n"
      "if os.fork() == 0: link(12); os._exit(0)\n"
      "time.sleep(20)";
  const ExecResult result = run(chain, Limits().cpu_time(std::chrono::milliseconds(1000)));
  EXPECT_TRUE(result.status.hit(Limit::cpu_time)) << result.status.sentence();
  EXPECT_LT(result.usage.wall, std::chrono::seconds(10));
}

TEST_F(WholeRunTest, LimitsThatEndNothingAreToldApart) {
  const ExecResult processes =
      run("import os, time\n"
          "try:\n"
          "    for i in range(99):\n"
          "        if os.fork() == 0: time.sleep(20)\n"
          "except BlockingIOError: time.sleep(0.2)",
          Limits().processes(12));
  EXPECT_THAT(processes.denied, ElementsAre(::testing::Field(&DeniedCall::call, "processes")));
  const ExecResult disk =
      run("try:\n"
          "    for i in range(999): open('/dev/shm/%d' % i, 'wb').write(b'x' * (1 << 20))\n"
          "except OSError: pass",
          Limits());
  ASSERT_THAT(disk.denied, ElementsAre(::testing::Field(&DeniedCall::call, "disk")));
  EXPECT_THAT(disk.denied[0].sentence, HasSubstr("/dev/shm"));
}

// The far end of a run's output, sent to another run that keeps it open.
TEST_F(WholeRunTest, OutputThatAnotherRunHoldsIsNotWaitedFor) {
  const auto box = sandbox();
  ExecRequest keeper = python_request(
      "import array, os, socket, time\n"
      "s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM); s.bind('/work/drop')\n"
      "print('bound', flush=True)\n"
      "_, held, _, _ = socket.recv_fds(s, 1, 1); time.sleep(20)");
  keeper.timeout(std::chrono::seconds(20));
  std::promise<std::string> bound;
  std::atomic<bool> told = false;
  keeper.on_output([&](OutputChunk chunk) {
    if (!told.exchange(true)) bound.set_value(std::string(chunk.bytes));
  });
  auto keeping = boost::asio::co_spawn(io(), box->exec(keeper), boost::asio::use_future);
  ASSERT_THAT(bound.get_future().get(), HasSubstr("bound"));
  ExecRequest sender = python_request(
      "import socket, sys\n"
      "s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM); s.connect('/work/drop')\n"
      "print('told', flush=True); socket.send_fds(s, [b'x'], [1])");
  const auto begin = std::chrono::steady_clock::now();
  const ExecResult result = await(box->exec(sender));
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(10));
  EXPECT_EQ(result.standard_output.bytes(), "told\n") << result.standard_error.text();
  await(backend().dispose(SandboxKey("scope", "thread", "agent")));
  EXPECT_EQ(error_of([&] { keeping.get(); }), errc::sandbox_disposed);
}

// Two guests of one root-launched host are two users outside.
TEST_F(WholeRunTest, EachLiveSandboxHasAUidOfItsOwnOutside) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can give guests another user";
  options().turn_off(unsafe::TurnOff(Protection::inner_user_namespace,
                                     "shows the outside uid in /proc/self/uid_map"));
  const auto outside = [&](const std::string& thread) {
    ExecRequest request = python_request("print(open('/proc/self/uid_map').read().split()[1])");
    return await(sandbox(thread)->exec(request)).standard_output.bytes();
  };
  const std::string first = outside("one");
  const std::string second = outside("two");
  EXPECT_NE(first, second);
  EXPECT_EQ(outside("one"), first) << "and keeps it";
}

}  // namespace
}  // namespace sandbox::runner::testing
