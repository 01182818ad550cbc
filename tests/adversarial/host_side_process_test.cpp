// What of a guest reaches the host's processes, descriptors, memory and log.
// SPDX-License-Identifier: MIT
#include <fcntl.h>
#include <gmock/gmock.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>

#include "host_side_fixture.hpp"

namespace sandbox::runner::testing {
namespace {

using namespace std::chrono_literals;
using std::chrono::steady_clock;

class HostProcesses : public TwoSidedTest {};

// A child of this process that only waits; gone with this.
class Child {
 public:
  Child() : pid_(::fork()) {
    if (pid_ != 0) return;
    for (;;) ::pause();
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  Child(Child&&) = delete;
  Child& operator=(Child&&) = delete;
  ~Child() {
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }

  [[nodiscard]] int pid() const { return pid_; }

 private:
  int pid_;
};

TEST_F(HostProcesses, N94_RealNumbersOfTheHostNameNobodyInside) {
  const auto box = sandbox();
  std::set<int> numbers = descendants_of(::getpid());  // the launcher
  const Child child;
  numbers.insert({::getpid(), ::getppid(), child.pid()});
  std::string list;
  for (const int pid : numbers) {
    ASSERT_TRUE(::kill(pid, 0) == 0 || errno == EPERM) << pid;
    // A number as low as this the guest may have a process of its own for.
    if (pid > 50) list += std::to_string(pid) + ", ";
  }
  ASSERT_NE(list, "");
  EXPECT_EQ(output_of(box, "NUMBERS = [" + list + "]" + R"py(
PIDFD, TGKILL = {'x86_64': (434, 234), 'aarch64': (434, 131)}[os.uname().machine]
def ask(label, pid):
    told(label + ' kill', os.kill, pid, 0)
    told(label + ' pidfd', call, 'syscall', PIDFD, pid, 0)
    told(label + ' tgkill', call, 'syscall', TGKILL, pid, pid, 0)
    told(label + ' affinity', os.sched_getaffinity, pid)
ask('own', os.getpid())
import contextlib, io
met = io.StringIO()
with contextlib.redirect_stdout(met):
    for pid in NUMBERS:
        ask('host', pid)
        told('host group', os.kill, -pid, 0)
print(sorted(set(met.getvalue().split('\n'))))
)py"),
            "own kill worked\nown pidfd worked\nown tgkill worked\nown affinity worked\n"
            "['', 'host affinity ESRCH', 'host group ESRCH', 'host kill ESRCH', "
            "'host pidfd ESRCH', 'host tgkill ESRCH']\n");
}

TEST_F(HostProcesses, N99_N100_N103_NothingOfABombWithDaemonsIsLeftASecondAfterTheResult) {
  const std::string word = unique_word();
  LiveRun bomb = start(sandbox(), "MARK = '" + word + "'" + R"py(
def daemon():
    os.setsid()
    if os.fork(): os._exit(0)
    os.setpgid(0, 0)
    signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 64))
    while True: signal.pause()
for i in range(8):
    if os.fork() == 0: daemon()
def multiply():
    while True:
        if os.fork() == 0:
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
told('bomb', multiply)
if os.getpid() != 2 and os.getppid() != 1: signal.pause()
wait_for('go')
os._exit(0)
)py");
  ASSERT_TRUE(bomb.printed("bomb EAGAIN"));
  EXPECT_GT(processes_with(word), 20U) << "it must have been one";
  tell(sandbox(), "go");
  bomb.result();
  const auto deadline = steady_clock::now() + 1s;
  while (processes_with(word) > 0 && steady_clock::now() < deadline) {
  }
  EXPECT_EQ(processes_with(word), 0U);
  EXPECT_EQ(output_of(sandbox(), "print('next')"), "next\n");
}

// As a server would have it that was written without a thought of children.
class LeakyListener {
 public:
  LeakyListener() : listener_(::socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    auto* generic = reinterpret_cast<sockaddr*>(&address);
    if (::bind(listener_.get(), generic, size) != 0 || ::listen(listener_.get(), 4) != 0) return;
    if (::getsockname(listener_.get(), generic, &size) != 0) return;
    client_ = Fd(::socket(AF_INET, SOCK_STREAM, 0));
    if (::connect(client_.get(), generic, size) != 0) return;
    accepted_ = Fd(::accept(listener_.get(), nullptr, nullptr));
    high_ = Fd(::fcntl(listener_.get(), F_DUPFD, 900));
    ready_ = static_cast<bool>(accepted_) && high_.get() == 900;
  }

  [[nodiscard]] bool ready() const { return ready_; }

 private:
  Fd listener_;
  Fd client_;
  Fd accepted_;
  Fd high_;
  bool ready_ = false;
};

TEST_F(HostProcesses, N152_SocketsOfTheHostThatAreNotCloseOnExecAreNotInside) {
  const LeakyListener leaky;
  ASSERT_TRUE(leaky.ready());
  ASSERT_EQ(run_outside({"test", "-S", "/proc/self/fd/900"}), 0) << "any other child has it";
  EXPECT_EQ(output_of(sandbox(), R"py(
found = []
for number in range(1024):
    try: found.append((number, os.fstat(number).st_mode and 'open'))
    except OSError as error:
        if error.errno != errno.EBADF: found.append((number, error.errno))
print(found)
)py"),
            "[(0, 'open'), (1, 'open'), (2, 'open')]\n");
}

// New lines of the kernel's log; unreadable for most users.
class KernelLog {
 public:
  KernelLog() : log_(::open("/dev/kmsg", O_RDONLY | O_NONBLOCK | O_CLOEXEC)) {
    if (log_) ::lseek(log_.get(), 0, SEEK_END);
    can_be_read_ =
        log_ && (::read(log_.get(), nullptr, 0) >= 0 || errno == EAGAIN || errno == EINVAL);
  }
  [[nodiscard]] bool can_be_read() const { return can_be_read_; }

  // Lines since then that hold `word`.
  std::vector<std::string> with(const std::string& word) {
    std::vector<std::string> found;
    std::array<char, 8192> line{};
    for (;;) {
      const ssize_t got = ::read(log_.get(), line.data(), line.size());
      if (got < 0 && errno == EPIPE) continue;  // some were overwritten
      if (got <= 0) return found;
      const std::string text(line.data(), static_cast<std::size_t>(got));
      if (text.find(word) != std::string::npos) found.push_back(text);
    }
  }

 private:
  Fd log_;
  bool can_be_read_ = false;
};

class HostLog : public TwoSidedTest {
 protected:
  void SetUp() override {
    TwoSidedTest::SetUp();
    if (!log_.can_be_read()) GTEST_SKIP() << "this user cannot read the kernel's log";
  }
  // Other lines come from elsewhere: the kernel names the thread.
  static std::string named(const std::string& source) {
    return "import ctypes\nctypes.CDLL(None).prctl(15, b'loudguest', 0, 0, 0)\n" + source;
  }
  KernelLog log_;
};

TEST_F(HostLog, N163_RefusedCallsLeaveNoLine) {
  EXPECT_EQ(output_of(sandbox(), named(R"py(
ACCT = {'x86_64': 163, 'aarch64': 89}[os.uname().machine]
def storm(number):
    for i in range(500):
        try: call('syscall', number, b'/work/none')
        except OSError as error: last = error
    raise last
told('refused', storm, ACCT)
told('unknown', storm, 9999)
told('socket', lambda: socket.socket())
)py")),
            "refused EPERM\nunknown ENOSYS\nsocket EAFNOSUPPORT\n");
  EXPECT_THAT(log_.with("loudguest"), ::testing::IsEmpty());
}

// A crash and a call of another architecture are lines of the kernel's own, with a name that the
// guest chose; its rate limit is the bound (10 in 5 s for each kind of line).
TEST_F(HostLog, N163_CrashesAndForbiddenCallsLeaveFewLines) {
  EXPECT_EQ(output_of(sandbox(), named(R"py(
def die(how):
    if os.fork() == 0:
        how()
        os._exit(0)
    return os.WIFSIGNALED(os.wait()[1])
forbidden = lambda: libc.syscall(ctypes.c_long(0x40000000 | 39))
print(sum(die(lambda: ctypes.string_at(8)) for i in range(200)))
if os.uname().machine == 'x86_64' and sum(die(forbidden) for i in range(200)) != 200: print('odd')
)py")),
            "200\n");
  EXPECT_LE(log_.with("loudguest").size(), 60U);
}

}  // namespace
}  // namespace sandbox::runner::testing
