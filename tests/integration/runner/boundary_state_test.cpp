// Protections that another layer hides from an attack, each read where it can be seen by itself: in
// the guest, or by the host in /proc.
// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>
#include <grp.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <sstream>
#include <tuple>

#include "runner_fixture.hpp"

namespace net = boost::asio;

namespace sandbox::runner::testing {
namespace {

namespace fs = std::filesystem;
using ::testing::Each;
using ::testing::Gt;
using ::testing::IsEmpty;

std::string text_of(const fs::path& path) {
  std::stringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

fs::path proc_of(int pid, const char* name) {
  return fs::path("/proc") / std::to_string(pid) / name;
}

// The rest of the line "Name:<tab>..." of /proc/PID/status.
std::string status_field(int pid, const std::string& name) {
  std::istringstream lines(text_of(proc_of(pid, "status")));
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with(name + ":\t")) return line.substr(name.size() + 2);
  }
  return "no " + name;
}

std::vector<long> numbers_of(const std::string& text) {
  std::istringstream words(text);
  return {std::istream_iterator<long>(words), std::istream_iterator<long>()};
}

uid_t owner_of(const fs::path& path) {
  struct stat found {};
  EXPECT_EQ(::stat(path.c_str(), &found), 0) << path;
  return found.st_uid;
}

// The processes of one run, numbered as the host numbers them.
struct RunProcesses {
  int launcher = 0;
  int init = 0;
  int program = 0;
};

class BoundaryStateTest : public RunnerTest {
 protected:
  std::string printed(ExecRequest request) {
    const ExecResult result = exec(std::move(request));
    EXPECT_TRUE(result.status.exited_with(0)) << result.status.sentence() << "\n"
                                              << result.standard_error.text();
    return result.standard_output.bytes();
  }
  std::string printed(const std::string& source) { return printed(python_request(source)); }

  // Starts `source`, which prints and then waits; `look` is called with what it printed.
  void while_running(const std::string& source,
                     const std::function<void(const RunProcesses&, const std::string&)>& look) {
    const auto box = sandbox();
    std::promise<std::string> said;
    std::atomic<bool> told = false;
    ExecRequest request = python_request(source + "\nimport time; time.sleep(60)");
    request.on_output([&](OutputChunk chunk) {
      if (!told.exchange(true)) said.set_value(std::string(chunk.bytes));
    });
    auto running = net::co_spawn(io(), box->exec(request), net::use_future);
    const std::string text = said.get_future().get();
    look(find_processes(), text);
    await(backend().dispose(SandboxKey("scope", "thread", "agent")));
    EXPECT_EQ(error_of([&] { running.get(); }), errc::sandbox_disposed);
  }

 private:
  static RunProcesses find_processes() {
    std::set<int> all = descendants_of(::getpid());
    // Those that made the sandbox and the run may be on their way out still.
    for (int i = 0; i < 200 && all.size() > 3; ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
      all = descendants_of(::getpid());
    }
    RunProcesses found;
    for (const int pid : all) {
      const std::size_t below = descendants_of(pid).size();
      (below == 2 ? found.launcher : below == 1 ? found.init : found.program) = pid;
    }
    EXPECT_EQ(all.size(), 3U) << "launcher, init and the program";
    return found;
  }
};

TEST_F(BoundaryStateTest, ItsProcessesAreNobodyOnTheHostAndCanGainNothing) {
  const bool is_root = ::geteuid() == 0;
  const gid_t extra_group = 12345;
  if (is_root) {
    ASSERT_EQ(::setgroups(1, &extra_group), 0);
  }
  while_running("print('up')", [&](const RunProcesses& run, const std::string&) {
    for (const int pid : {run.launcher, run.init, run.program}) {
      EXPECT_EQ(status_field(pid, "NoNewPrivs"), "1");
    }
    for (const int pid : {run.init, run.program}) {
      EXPECT_THAT(numbers_of(status_field(pid, "Uid")), Each(Gt(0)));
      EXPECT_THAT(numbers_of(status_field(pid, "Gid")), Each(Gt(0)));
      // Another user than root cannot shed its groups.
      if (is_root) {
        EXPECT_THAT(numbers_of(status_field(pid, "Groups")), IsEmpty());
      }
    }
  });
  if (is_root) {
    ASSERT_EQ(::setgroups(0, nullptr), 0);
  }
}

// Each is checked alone: to a run, the launcher and init are what stands between it and the host.
TEST_F(BoundaryStateTest, TheLauncherAndInitHoldNothingAndCannotBeLookedInto) {
  const bool is_root = ::geteuid() == 0;
  ::setenv("SANDBOX_TEST_SECRET", "canary-42", 1);
  while_running("print('up')", [&](const RunProcesses& run, const std::string&) {
    for (const int pid : {run.launcher, run.init, run.program}) {
      const std::string stat = text_of(proc_of(pid, "stat"));
      // After the name: state, parent, group, session.
      EXPECT_EQ(numbers_of(stat.substr(stat.rfind(')') + 3)).at(2), pid) << "session";
    }
    EXPECT_THAT(text_of(proc_of(run.launcher, "limits")),
                ::testing::ContainsRegex("core file size +0 "));
    // The kernel gives the files of a process that is not dumpable to root.
    EXPECT_EQ(owner_of(proc_of(run.program, "status")),
              numbers_of(status_field(run.program, "Uid"))[0]);
    EXPECT_NE(owner_of(proc_of(run.init, "status")), numbers_of(status_field(run.init, "Uid"))[0]);
    // init's own filter; its one answer to anything else is its end.
    EXPECT_EQ(status_field(run.init, "Seccomp"), "2");
    EXPECT_EQ(status_field(run.init, "NoNewPrivs"), "1");
    // What a guest may queue for it is bounded ("queued/limit").
    EXPECT_THAT(status_field(run.init, "SigQ"), ::testing::EndsWith("/256"));
    if (!is_root) {
      EXPECT_NE(owner_of(proc_of(run.launcher, "status")), ::geteuid());
      return;  // only root can look further
    }
    EXPECT_EQ(text_of(proc_of(run.launcher, "environ")), "");
    EXPECT_EQ(text_of(proc_of(run.init, "environ")), "");
    const auto open_in = [](int pid) {
      const fs::directory_iterator all(proc_of(pid, "fd"));
      return std::distance(begin(all), end(all));
    };
    EXPECT_EQ(open_in(run.launcher), 5) << "/dev/null three times, the request socket, /proc";
    EXPECT_EQ(open_in(run.init), 7) << "/dev/null three times, the reply socket, its signals, the "
                                       "view on its processes, the listener of refused calls";
  });
  ::unsetenv("SANDBOX_TEST_SECRET");
}

TEST_F(BoundaryStateTest, EveryNamespaceIsItsOwn) {
  const std::vector<std::string> kinds = {"user", "mnt", "pid", "net", "ipc", "uts", "cgroup"};
  const std::string source =
      "import os\n"
      "print(' '.join(os.readlink('/proc/self/ns/' + n) for n in 'user mnt pid net ipc uts "
      "cgroup'.split()))";
  const auto words_of = [](const std::string& text) {
    std::istringstream words(text);
    return std::vector<std::string>{std::istream_iterator<std::string>(words), {}};
  };
  while_running(source, [&](const RunProcesses&, const std::string& text) {
    const auto first = words_of(text);
    const auto second = words_of(printed(source));
    ASSERT_EQ(first.size(), kinds.size());
    ASSERT_EQ(second.size(), kinds.size());
    for (std::size_t i = 0; i < kinds.size(); ++i) {
      EXPECT_NE(first[i], fs::read_symlink("/proc/self/ns/" + kinds[i]).string());
      const bool is_of_the_sandbox = kinds[i] == "net" || kinds[i] == "uts";
      EXPECT_EQ(first[i] == second[i], is_of_the_sandbox) << kinds[i] << " of two runs";
    }
  });
}

// The second user namespace: what is 1000 here is the set-up's 0, one level up.
TEST_F(BoundaryStateTest, ItsIdsAreMappedTwiceAndGroupsAreOff) {
  EXPECT_EQ(printed("for f in ('uid_map', 'gid_map', 'setgroups'): print(*open('/proc/self/' + "
                    "f).read().split())"),
            "1000 0 1\n1000 0 1\ndeny\n");
}

TEST_F(BoundaryStateTest, SignalsAndTheFileMaskAreAsInAFreshProcess) {
  const auto before = std::signal(SIGUSR1, SIG_IGN);
  // Not by Python, which ignores some itself.
  const std::string status =
      printed(ExecRequest({"grep", "-E", "^(Umask|SigPnd|SigBlk|SigIgn)", "/proc/self/status"}));
  std::signal(SIGUSR1, before);
  // The two real-time signals that the C library keeps for itself stay as its posix_spawn sets
  // them.
  EXPECT_THAT(status, ::testing::MatchesRegex("Umask:\t0022\nSigPnd:\t0+\nSigBlk:\t0+\n"
                                              "SigIgn:\t0000000[01][08]0000000\n"));
}

TEST_F(BoundaryStateTest, EveryLimitIsSetSoftAndHard) {
  constexpr rlim_t kMega = rlim_t{1} << 20U;
  ExecRequest request = python_request(
      "import resource as r, sys\n"
      "for n in 'DATA NPROC NOFILE FSIZE CORE STACK MEMLOCK MSGQUEUE SIGPENDING'.split():\n"
      "    print(n, *r.getrlimit(getattr(r, 'RLIMIT_' + n)))");
  request.limits(Limits()
                     .memory(Bytes(300 * kMega))
                     .processes(20)
                     .open_files(100)
                     .file_size(Bytes(3 * kMega)));
  const std::vector<std::tuple<const char*, __rlimit_resource, rlim_t>> wanted = {
      {"DATA", RLIMIT_DATA, 300 * kMega},
      {"NPROC", RLIMIT_NPROC, 21},
      {"NOFILE", RLIMIT_NOFILE, 100},
      {"FSIZE", RLIMIT_FSIZE, 3 * kMega},
      {"CORE", RLIMIT_CORE, 1},
      {"STACK", RLIMIT_STACK, 8 * kMega},
      {"MEMLOCK", RLIMIT_MEMLOCK, 64U << 10U},
      {"MSGQUEUE", RLIMIT_MSGQUEUE, 0},
      {"SIGPENDING", RLIMIT_SIGPENDING, 256},
  };
  std::ostringstream expected;
  for (const auto& [name, resource, value] : wanted) {
    rlimit host{};
    ASSERT_EQ(::getrlimit(resource, &host), 0);
    const rlim_t limit = std::min(value, host.rlim_max);
    expected << name << ' ' << limit << ' ' << limit << '\n';
  }
  EXPECT_EQ(printed(request), expected.str());
}

TEST_F(BoundaryStateTest, EveryFileSystemOfItsOwnIsBoundedInBytesAndFiles) {
  options().work_size(Bytes(std::uint64_t{32} << 20U));
  EXPECT_EQ(printed("import os\n"
                    "for p in ('/', '/work', '/tmp', '/dev/shm'):\n"
                    "    s = os.statvfs(p); print(p, s.f_blocks * s.f_frsize >> 20, s.f_files, "
                    "oct(os.stat(p).st_mode & 0o7777))"),
            "/ 1 1024 0o755\n/work 32 4096 0o700\n/tmp 64 8192 0o1777\n/dev/shm 64 8192 0o1777\n");
}

TEST_F(BoundaryStateTest, EveryMountCarriesTheFlagsOfItsKind) {
  EXPECT_EQ(printed("for line in open('/proc/self/mountinfo'):\n"
                    "    f = line.split(); where, flags, kind = f[4], f[5], f[f.index('-') + 1]\n"
                    "    own = kind in ('tmpfs', 'proc') or where.startswith('/dev/')\n"
                    "    if own and 'noexec' not in flags: print('exec', where)\n"
                    "    if 'nosuid' not in flags: print('suid', where)\n"
                    "    if kind == 'proc': print(sorted(f[-1].split(',')[1:]))"),
            "['hidepid=ptraceable', 'subset=pid']\n['hidepid=ptraceable', 'subset=pid']\n");
  EXPECT_EQ(printed("import os\n"
                    "print(sorted(n for n in os.listdir('/proc') if not n.isdigit()))\n"
                    "print([n for n in ('sys', 'meminfo', 'kcore', 'sysrq-trigger', 'net/dev') if "
                    "os.path.exists('/proc/' + n)])"),
            "['self', 'thread-self']\n[]\n");
}

}  // namespace
}  // namespace sandbox::runner::testing
