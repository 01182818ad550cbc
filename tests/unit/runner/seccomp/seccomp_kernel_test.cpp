// The policies that ship, loaded into this kernel: what is refused, what works, and python starts.
// SPDX-License-Identifier: MIT
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <linux/filter.h>
#include <linux/futex.h>
#include <linux/openat2.h>
#include <linux/seccomp.h>
#include <netinet/in.h>
#include <sched.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "policy_support.hpp"
#include "seccomp_profile.hpp"

namespace sandbox::runner::test {
namespace {

constexpr int kCouldNotLoad = 99;
constexpr long kHigh = 0x5eed00000000;

struct Outcome {
  int status = 0;  // as from waitpid
  std::string output;
};

void confine(const FilterProgram& program) {
  sock_fprog filter{};
  filter.len = static_cast<unsigned short>(program.instructions.size());
  filter.filter = const_cast<sock_filter*>(program.instructions.data());
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
      ::syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &filter) != 0) {
    ::_exit(kCouldNotLoad);
  }
}

// Runs `body` in a child, under `program` unless that is null, with its standard output captured.
Outcome in_child(const FilterProgram* program, const std::function<void()>& body) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return {};
  const pid_t child = ::fork();
  if (child == 0) {
    ::dup2(ends[1], STDOUT_FILENO);
    if (program != nullptr) confine(*program);
    body();
    ::_exit(0);
  }
  ::close(ends[1]);
  Outcome outcome;
  char buffer[512];
  ssize_t got = 0;
  while ((got = ::read(ends[0], buffer, sizeof(buffer))) > 0) {
    outcome.output.append(buffer, static_cast<std::size_t>(got));
  }
  ::close(ends[0]);
  ::waitpid(child, &outcome.status, 0);
  return outcome;
}

void print(const std::string& text) { (void)!::write(STDOUT_FILENO, text.data(), text.size()); }

bool exited_with(const Outcome& outcome, int code) {
  return WIFEXITED(outcome.status) && WEXITSTATUS(outcome.status) == code;
}

const FilterProgram& native_program(const std::string& name) {
  return builtin_program(name, native_arch());
}

struct Attempt {
  const char* name;
  std::function<long()> call;
  int refused_with = 0;  // 0: must work
};

// The errno of each attempt, in order; 0 where it worked.
std::vector<int> results_of(const std::vector<Attempt>& attempts, const FilterProgram* program) {
  const Outcome outcome = in_child(program, [&] {
    for (const Attempt& attempt : attempts) {
      const long result = attempt.call();
      print(std::to_string(result < 0 ? errno : 0) + ' ');
    }
  });
  std::vector<int> results;
  if (!exited_with(outcome, 0)) return results;
  std::size_t at = 0;
  while (at < outcome.output.size()) {
    results.push_back(std::atoi(outcome.output.c_str() + at));
    at = outcome.output.find(' ', at) + 1;
  }
  return results;
}

long set_same_limit(int resource) {
  struct rlimit limit {};
  ::getrlimit(static_cast<__rlimit_resource>(resource), &limit);
  return ::syscall(SYS_prlimit64, 0, resource, &limit, nullptr);
}

long set_same_scheduler() {
  struct sched_param parameters {};
  return ::syscall(SYS_sched_setscheduler, 0, SCHED_OTHER, &parameters);
}

// Every call here does something else, and nothing lasting, when no filter is in the way.
std::vector<Attempt> denied_calls() {
  return {
      {"clone3", [] { return ::syscall(SYS_clone3, nullptr, 0); }, ENOSYS},
      {"memfd_create", [] { return ::syscall(SYS_memfd_create, "x", 0); }, ENOSYS},
      {"inotify_init1", [] { return ::syscall(SYS_inotify_init1, 0); }, ENOSYS},
      {"socket inet", [] { return ::syscall(SYS_socket, AF_INET, SOCK_STREAM, 0); }, EAFNOSUPPORT},
      {"socket inet, high bits",
       [] { return ::syscall(SYS_socket, kHigh | AF_INET, SOCK_STREAM, 0); }, EAFNOSUPPORT},
      {"socket netlink", [] { return ::syscall(SYS_socket, AF_NETLINK, SOCK_RAW, 0); },
       EAFNOSUPPORT},
      {"setxattr", [] { return ::syscall(SYS_setxattr, "/no/such", "user.x", "", 0, 0); },
       EOPNOTSUPP},
      {"ioctl FIOQSIZE",
       [] {
         long long size = 0;
         const int root = ::open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
         return ::syscall(SYS_ioctl, root, kHigh | FIOQSIZE, &size);
       },
       ENOTTY},
      {"fcntl F_GETOWN", [] { return ::syscall(SYS_fcntl, 1, kHigh | F_GETOWN, 0); }, EINVAL},
      {"prctl PR_GET_KEEPCAPS", [] { return ::syscall(SYS_prctl, PR_GET_KEEPCAPS, 0, 0, 0, 0); },
       EINVAL},
      {"personality", [] { return ::syscall(SYS_personality, PER_LINUX); }, EPERM},
      {"core limit", [] { return set_same_limit(RLIMIT_CORE); }, EPERM},
      {"unshare nothing", [] { return ::syscall(SYS_unshare, 0); }, EPERM},
      {"process_vm_readv",
       [] { return ::syscall(SYS_process_vm_readv, ::getpid(), nullptr, 0, nullptr, 0, 0); },
       EPERM},
      {"setpriority", [] { return ::syscall(SYS_setpriority, PRIO_PROCESS, 0, 19); }, EPERM},
      {"sched_setscheduler", [] { return set_same_scheduler(); }, EPERM},
      {"mlock", [] { return ::syscall(SYS_mlock, nullptr, 0); }, EPERM},
      {"setuid", [] { return ::syscall(SYS_setuid, ::getuid()); }, EPERM},
      {"mknodat", [] { return ::syscall(SYS_mknodat, AT_FDCWD, "/no/such", S_IFCHR, 0); }, EPERM},
  };
}

long fork_and_wait() {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(7);
  int status = 0;
  if (child < 0 || ::waitpid(child, &status, 0) != child) return -1;
  return WIFEXITED(status) && WEXITSTATUS(status) == 7 ? 0 : -1;
}

long start_thread() {
  bool ran = false;
  std::thread thread([&ran] { ran = true; });  // throws, and so ends the child, when refused
  thread.join();
  return ran ? 0 : -1;
}

long bytes_in_a_pipe() {
  int ends[2];
  int waiting = 0;
  if (::pipe2(ends, O_CLOEXEC) != 0 || ::write(ends[1], "abc", 3) != 3) return -1;
  if (::syscall(SYS_ioctl, ends[0], kHigh | FIONREAD, &waiting) != 0) return -1;
  return waiting == 3 ? 0 : -1;
}

long open_two() {
  struct open_how how {};
  how.flags = O_RDONLY | O_CLOEXEC | O_DIRECTORY;
  return ::syscall(SYS_openat2, AT_FDCWD, "/", &how, sizeof(how));
}

long lock_whole_file() {
  const int self = ::open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
  return ::syscall(SYS_flock, self, LOCK_SH | LOCK_NB);
}

long map_and_protect() {
  void* const page =
      ::mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (page == MAP_FAILED) return -1;
  return ::mprotect(page, 4096, PROT_READ);
}

long make_fifo() {
  const std::string path = "/tmp/unit_seccomp_fifo." + std::to_string(::getpid());
  const long result = ::mkfifo(path.c_str(), 0600);
  ::unlink(path.c_str());
  return result;
}

std::vector<Attempt> allowed_calls() {
  return {
      {"fork and wait", fork_and_wait},
      {"thread", start_thread},
      {"socket unix, high bits",
       [] { return ::syscall(SYS_socket, kHigh | AF_UNIX, kHigh | SOCK_STREAM, 0); }},
      {"socketpair",
       [] {
         int ends[2];
         return static_cast<long>(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends));
       }},
      {"FIONREAD, high bits", bytes_in_a_pipe},
      {"fcntl F_GETFL, high bits", [] { return ::syscall(SYS_fcntl, 1, kHigh | F_GETFL, 0); }},
      {"prctl PR_SET_NAME", [] { return ::syscall(SYS_prctl, PR_SET_NAME, "guest", 0, 0, 0); }},
      {"personality query, high bits",
       [] { return ::syscall(SYS_personality, kHigh | 0xffffffff); }},
      {"open files limit", [] { return set_same_limit(RLIMIT_NOFILE); }},
      {"openat2", open_two},
      {"flock", lock_whole_file},
      {"mmap and mprotect", map_and_protect},
      {"mkfifo", make_fifo},
      {"sync", [] { return ::syscall(SYS_sync); }},
  };
}

class SeccompKernel : public testing::Test {
 protected:
  void SetUp() override {
    const FilterProgram& program = native_program("default");
    const Outcome outcome = in_child(&program, [] {});
    if (exited_with(outcome, 0)) return;
    ASSERT_EQ(std::getenv("SANDBOX_TESTS_MUST_WORK"), nullptr) << "the filter cannot be loaded";
    GTEST_SKIP() << "this kernel, or a filter around us, lets no filter be loaded";
  }
};

TEST_F(SeccompKernel, DefaultRefusesEachWithItsErrno) {
  const std::vector<Attempt> attempts = denied_calls();
  const FilterProgram& program = native_program("default");
  const std::vector<int> unconfined = results_of(attempts, nullptr);
  const std::vector<int> confined = results_of(attempts, &program);
  ASSERT_EQ(unconfined.size(), attempts.size());
  ASSERT_EQ(confined.size(), attempts.size());
  std::size_t told_apart = 0;
  for (std::size_t i = 0; i < attempts.size(); ++i) {
    EXPECT_EQ(confined[i], attempts[i].refused_with) << attempts[i].name;
    // In a container another filter may refuse the same way already; then the row proves nothing.
    if (unconfined[i] != attempts[i].refused_with) ++told_apart;
  }
  EXPECT_GE(told_apart, 12U) << "control: these calls must go differently without the filter";
}

TEST_F(SeccompKernel, DefaultLetsOrdinaryCallsWork) {
  const std::vector<Attempt> attempts = allowed_calls();
  const FilterProgram& program = native_program("default");
  const std::vector<int> confined = results_of(attempts, &program);
  ASSERT_EQ(confined.size(), attempts.size());
  for (std::size_t i = 0; i < attempts.size(); ++i) EXPECT_EQ(confined[i], 0) << attempts[i].name;
}

TEST_F(SeccompKernel, UnknownNumbersAnswerNoSuchCall) {
  const FilterProgram& program = native_program("strict");
  for (const long number : {9999L, -1L, 0xffffffffL, 400L}) {
    const std::vector<int> results =
        results_of({{"unknown", [number] { return ::syscall(number); }}}, &program);
    EXPECT_EQ(results, std::vector<int>{ENOSYS}) << number;
  }
}

TEST_F(SeccompKernel, StrictRefusesEveryLimitWrite) {
  const FilterProgram& program = native_program("strict");
  const std::vector<int> results =
      results_of({{"write", [] { return set_same_limit(RLIMIT_NOFILE); }},
                  {"read",
                   [] {
                     struct rlimit limit {};
                     return ::syscall(SYS_prlimit64, 0, RLIMIT_NOFILE, nullptr, &limit);
                   }},
                  {"flock", lock_whole_file}},
                 &program);
  EXPECT_EQ(results, (std::vector<int>{EPERM, 0, ENOSYS}));
}

TEST_F(SeccompKernel, OnlyLoopbackMakesInternetSockets) {
  const FilterProgram& program = native_program("loopback");
  const std::vector<int> results = results_of(
      {{"tcp", [] { return ::syscall(SYS_socket, AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0); }},
       {"ping", [] { return ::syscall(SYS_socket, AF_INET, SOCK_DGRAM, IPPROTO_ICMP); }},
       {"packet", [] { return ::syscall(SYS_socket, AF_PACKET, SOCK_RAW, 0); }}},
      &program);
  EXPECT_EQ(results, (std::vector<int>{0, EPROTONOSUPPORT, EAFNOSUPPORT}));
}

TEST_F(SeccompKernel, PythonStartsUnderEveryPolicy) {
  const std::string code =
      "import os, subprocess, sys, tempfile, threading\n"
      "t = threading.Thread(target=lambda: None); t.start(); t.join()\n"
      "with tempfile.TemporaryFile() as f: f.write(b'x')\n"
      "r = subprocess.run([sys.executable, '-S', '-c', 'print(1)'], capture_output=True)\n"
      "print(1 if r.stdout == b'1\\n' else r)\n";
  const auto start = [](const std::string& program) {
    return [&program] { ::execlp("python3", "python3", "-c", program.c_str(), nullptr); };
  };
  // Also a control: the program works when nothing is in its way.
  ASSERT_EQ(in_child(nullptr, start(code)).output, "1\n") << "no usable python3 on PATH";
  for (const std::string& name : builtin_profile_names()) {
    const FilterProgram& program = native_program(name);
    const Outcome outcome = in_child(&program, start(code));
    EXPECT_EQ(outcome.output, "1\n") << name;
    EXPECT_TRUE(exited_with(outcome, 0)) << name << ' ' << outcome.status;
  }
}

TEST_F(SeccompKernel, ExecveatStartsAProgramByDescriptor) {
  const int shell = ::open("/bin/sh", O_PATH | O_CLOEXEC);
  ASSERT_GE(shell, 0);
  for (const std::string& name : builtin_profile_names()) {
    const FilterProgram& program = native_program(name);
    const Outcome outcome = in_child(&program, [&] {
      const char* const arguments[] = {"sh", "-c", "echo started", nullptr};
      const char* const environment[] = {nullptr};
      ::syscall(SYS_execveat, shell, "", arguments, environment, AT_EMPTY_PATH);
    });
    EXPECT_EQ(outcome.output, "started\n") << name;
  }
  ::close(shell);
}

#if defined(__x86_64__)
// getpid of the 32-bit table.
void call_through_interrupt() {
  long result = 20;
  asm volatile("int $0x80" : "+a"(result) : : "memory", "r8", "r9", "r10", "r11");
  print(result > 0 ? "worked" : "failed");
}

TEST_F(SeccompKernel, OtherDoorsIntoTheKernelKill) {
  const FilterProgram& program = native_program("default");
  const auto call_x32 = [] { print(::syscall(0x40000000L + 39) < 0 ? "failed" : "worked"); };
  ASSERT_EQ(in_child(nullptr, call_x32).output.size(), 6U) << "control: it survives unconfined";
  const Outcome x32 = in_child(&program, call_x32);
  EXPECT_TRUE(WIFSIGNALED(x32.status) && WTERMSIG(x32.status) == SIGSYS) << x32.status;

  if (in_child(nullptr, call_through_interrupt).output != "worked") {
    GTEST_SKIP() << "this kernel has no 32-bit calls";
  }
  const Outcome i386 = in_child(&program, call_through_interrupt);
  EXPECT_TRUE(WIFSIGNALED(i386.status) && WTERMSIG(i386.status) == SIGSYS) << i386.status;
}
#endif

}  // namespace
}  // namespace sandbox::runner::test
