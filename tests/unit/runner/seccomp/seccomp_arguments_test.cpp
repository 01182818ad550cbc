// The argument filters of the policies that ship: what passes, what is refused and how, and that
// the upper half of a register neither opens nor closes anything.
// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <linux/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include <array>
#include <cstdint>
#include <initializer_list>
#include <random>
#include <string>
#include <vector>

#include "policy_support.hpp"

namespace sandbox::runner::test {
namespace {

// Typed, as a list of plain literals would be one of ints.
using Words = std::initializer_list<std::uint64_t>;

struct Case {
  const char* call;
  Arguments arguments;
  const char* verdict;
};

// Which argument the kernel reads as 32 bits, for each call that is filtered.
bool is_32_bit(const std::string& call, std::size_t index) {
  if (call == "prlimit64") return index <= 1;
  if (call == "prctl") return index == 0;
  if (call == "mknod") return index == 1;
  if (call == "fadvise64") return index == 0 || index == 3;
  if (call == "setrlimit" || call == "clone" || call == "personality") return index == 0;
  return index <= 2;
}

// Each case as it stands and with garbage in the upper half of every 32-bit argument.
void expect_verdicts(const std::vector<std::string>& profiles, const std::vector<Case>& cases) {
  for (const std::string& profile : profiles) {
    for (const FilterArch arch : kBothArchs) {
      const FilterProgram& program = builtin_program(profile, arch);
      for (const Case& item : cases) {
        if (!number_of(arch, item.call)) continue;
        for (const std::uint64_t high : Words{0ULL, 1ULL, 0x80000000ULL, 0xffffffffULL}) {
          Arguments arguments = item.arguments;
          for (std::size_t i = 0; i < arguments.size(); ++i) {
            if (is_32_bit(item.call, i)) arguments.at(i) |= high << 32U;
          }
          EXPECT_EQ(verdict_word(answer(program, arch, item.call, arguments)), item.verdict)
              << profile << ' ' << arch_name(arch) << ' ' << item.call << std::hex << " 0x"
              << arguments[0] << " 0x" << arguments[1] << " 0x" << arguments[2];
        }
      }
    }
  }
}

const std::vector<std::string>& all_profiles() {
  static const std::vector<std::string> names = builtin_profile_names();
  return names;
}

TEST(SeccompArguments, CloneMakesNoNamespaces) {
  std::vector<Case> cases = {{"clone", {0x01200011}, "ALLOW"},   // fork of the C library
                             {"clone", {0x003d0f00}, "ALLOW"},   // thread of the C library
                             {"clone", {0x00004111}, "ALLOW"},   // vfork
                             {"clone", {0x81ff7fff}, "ALLOW"}};  // all but CLONE_NEW*, NEWNS
  cases.back().arguments[0] &= ~0x00020000ULL;
  for (const std::uint64_t flag : Words{0x00020000ULL, 0x02000000ULL, 0x04000000ULL, 0x08000000ULL,
                                        0x10000000ULL, 0x20000000ULL, 0x40000000ULL}) {
    cases.push_back({"clone", {flag}, "EPERM"});
    cases.push_back({"clone", {flag | 0x01200011}, "EPERM"});
  }
  expect_verdicts(all_profiles(), cases);
}

TEST(SeccompArguments, OnlyUnixSockets) {
  for (std::uint64_t domain = 0; domain < 64; ++domain) {
    const char* const verdict = domain == AF_UNIX ? "ALLOW" : "EAFNOSUPPORT";
    const bool is_internet = domain == AF_INET || domain == AF_INET6;
    expect_verdicts({"default", "strict"}, {{"socket", {domain, SOCK_STREAM, 0}, verdict}});
    expect_verdicts(all_profiles(), {{"socketpair", {domain, SOCK_STREAM, 0}, verdict}});
    if (!is_internet) {
      expect_verdicts({"loopback"}, {{"socket", {domain, SOCK_STREAM, 0}, verdict}});
    }
  }
  expect_verdicts(all_profiles(), {{"socket", {0xffffffff, SOCK_STREAM, 0}, "EAFNOSUPPORT"},
                                   {"socket", {0x80000001, SOCK_STREAM, 0}, "EAFNOSUPPORT"},
                                   {"socket", {0x10001, SOCK_STREAM, 0}, "EAFNOSUPPORT"}});
}

TEST(SeccompArguments, LoopbackHasTcpAndUdpOnly) {
  for (const std::uint64_t domain : Words{AF_INET, AF_INET6}) {
    for (const std::uint64_t flags : Words{0, SOCK_CLOEXEC | SOCK_NONBLOCK}) {
      expect_verdicts({"loopback"},
                      {{"socket", {domain, SOCK_STREAM | flags, 0}, "ALLOW"},
                       {"socket", {domain, SOCK_STREAM | flags, 6}, "ALLOW"},
                       {"socket", {domain, SOCK_DGRAM | flags, 0}, "ALLOW"},
                       {"socket", {domain, SOCK_DGRAM | flags, 17}, "ALLOW"},
                       {"socket", {domain, SOCK_STREAM | flags, 132}, "EPROTONOSUPPORT"},   // SCTP
                       {"socket", {domain, SOCK_STREAM | flags, 262}, "EPROTONOSUPPORT"},   // MPTCP
                       {"socket", {domain, SOCK_STREAM | flags, 17}, "EPROTONOSUPPORT"},    //
                       {"socket", {domain, SOCK_DGRAM | flags, 1}, "EPROTONOSUPPORT"},      // ping
                       {"socket", {domain, SOCK_RAW | flags, 0}, "EPROTONOSUPPORT"},        //
                       {"socket", {domain, SOCK_SEQPACKET | flags, 0}, "EPROTONOSUPPORT"},  //
                       {"socket", {domain, 6 | flags, 0}, "EPROTONOSUPPORT"}});             // DCCP
    }
  }
}

TEST(SeccompArguments, IoctlByList) {
  std::vector<Case> cases;
  for (const std::uint64_t command :
       Words{0x5401, 0x540f, 0x5413, 0x541b, 0x5421, 0x5450, 0x5451, 0x5452}) {
    cases.push_back({"ioctl", {0, command}, "ALLOW"});
  }
  // TIOCSTI, TIOCSCTTY, TIOCLINUX, TIOCNOTTY, TIOCSETD, SIOCGIFCONF, SIOCETHTOOL, FICLONE,
  // FIONREAD with a stray bit, KDSETKEYCODE
  for (const std::uint64_t command :
       Words{0x5412ULL, 0x540eULL, 0x541cULL, 0x5422ULL, 0x5423ULL, 0x8912ULL, 0x8946ULL,
             0x40049409ULL, 0x8000541bULL, 0ULL, 0x4b4dULL, 0xffffffffULL}) {
    cases.push_back({"ioctl", {0, command}, "ENOTTY"});
  }
  expect_verdicts(all_profiles(), cases);
}

TEST(SeccompArguments, FcntlByList) {
  std::vector<Case> cases;
  for (const std::uint64_t command :
       Words{0, 1, 2, 3, 4, 5, 6, 7, 36, 37, 38, 1030, 1031, 1032, 1033, 1034}) {
    cases.push_back({"fcntl", {0, command}, "ALLOW"});
  }
  // F_SETOWN, F_GETOWN, F_SETSIG, F_SETOWN_EX, F_SETLEASE, F_GETLEASE, F_NOTIFY
  for (const std::uint64_t command :
       Words{8ULL, 9ULL, 10ULL, 15ULL, 1024ULL, 1025ULL, 1026ULL, 0x80000000ULL, 0xffffffffULL}) {
    cases.push_back({"fcntl", {0, command}, "EINVAL"});
  }
  expect_verdicts(all_profiles(), cases);
}

TEST(SeccompArguments, PrctlByList) {
  std::vector<Case> cases;
  for (const std::uint64_t option :
       Words{PR_SET_PDEATHSIG, PR_GET_PDEATHSIG, PR_GET_DUMPABLE, PR_SET_NAME, PR_GET_NAME,
             PR_GET_SECCOMP, PR_CAPBSET_READ, PR_SET_TIMERSLACK, PR_GET_TIMERSLACK,
             PR_SET_CHILD_SUBREAPER, PR_GET_CHILD_SUBREAPER, PR_GET_NO_NEW_PRIVS, 0x53564d41}) {
    cases.push_back({"prctl", {option}, "ALLOW"});
  }
  for (const std::uint64_t option :
       Words{PR_SET_DUMPABLE, PR_SET_KEEPCAPS, PR_SET_SECCOMP, PR_CAPBSET_DROP, PR_SET_SECUREBITS,
             PR_SET_MM, PR_SET_NO_NEW_PRIVS, PR_SET_PTRACER, PR_CAP_AMBIENT,
             PR_SET_SPECULATION_CTRL}) {
    cases.push_back({"prctl", {option}, "EINVAL"});
  }
  expect_verdicts(all_profiles(), cases);
}

TEST(SeccompArguments, PersonalityCanOnlyBeAsked) {
  expect_verdicts(all_profiles(), {{"personality", {0xffffffff}, "ALLOW"},
                                   {"personality", {0}, "EPERM"},
                                   {"personality", {0x0040000}, "EPERM"},
                                   {"personality", {0xfffffffe}, "EPERM"}});
}

TEST(SeccompArguments, LimitsCanBeReadAndTheCoreLimitNeverWritten) {
  constexpr std::uint64_t kPointer = 0x00007fff12345678;
  constexpr std::uint64_t kHighPointer = 0x00007fff00000000;  // low half is zero
  for (std::uint64_t resource = 0; resource < 16; ++resource) {
    const char* const write = resource == 4 ? "EPERM" : "ALLOW";
    expect_verdicts({"default", "loopback"}, {{"prlimit64", {0, resource, kPointer}, write},
                                              {"prlimit64", {0, resource, kHighPointer}, write},
                                              {"setrlimit", {resource, kPointer}, write}});
    expect_verdicts({"strict"}, {{"prlimit64", {0, resource, kPointer}, "EPERM"},
                                 {"prlimit64", {0, resource, kHighPointer}, "EPERM"},
                                 {"setrlimit", {resource, kPointer}, "EPERM"}});
    expect_verdicts(all_profiles(), {{"prlimit64", {0, resource, 0}, "ALLOW"},
                                     {"prlimit64", {1, resource, 0}, "EPERM"},
                                     {"prlimit64", {2, resource, kPointer}, "EPERM"}});
  }
  expect_verdicts(all_profiles(), {{"setrlimit", {16}, "EPERM"},
                                   {"prlimit64", {0, 16, kPointer}, "EPERM"},
                                   {"setrlimit", {0x80000004}, "EPERM"}});
}

TEST(SeccompArguments, NodesAreFifosOrNothing) {
  for (const std::uint64_t type : Words{S_IFREG, S_IFCHR, S_IFBLK, S_IFDIR, S_IFSOCK, S_IFLNK, 0}) {
    expect_verdicts({"default", "loopback"}, {{"mknod", {0, type | 0644}, "EPERM"},
                                              {"mknodat", {0, 0, type | 0644}, "EPERM"}});
  }
  expect_verdicts({"default", "loopback"}, {{"mknod", {0, S_IFIFO | 0600}, "ALLOW"},
                                            {"mknodat", {0, 0, S_IFIFO | 0666}, "ALLOW"}});
  expect_verdicts({"strict"}, {{"mknod", {0, S_IFIFO | 0600}, "EPERM"},
                               {"mknodat", {0, 0, S_IFIFO | 0666}, "EPERM"}});
}

TEST(SeccompArguments, RefusalsCarryTheErrnoThatCallersCopeWith) {
  for (const char* name :
       {"clone3", "io_uring_setup", "io_uring_enter", "io_uring_register", "memfd_create",
        "memfd_secret", "inotify_init", "inotify_init1", "inotify_add_watch",
        "landlock_restrict_self", "pidfd_getfd", "process_madvise", "quotactl_fd"}) {
    expect_verdicts(all_profiles(), {{name, {}, "ENOSYS"}});
  }
  for (const char* name :
       {"setxattr", "lsetxattr", "fsetxattr", "removexattr", "lremovexattr", "fremovexattr"}) {
    expect_verdicts(all_profiles(), {{name, {}, "EOPNOTSUPP"}});
  }
  for (const char* name : {"unshare",
                           "setns",
                           "mount",
                           "umount2",
                           "pivot_root",
                           "chroot",
                           "fsopen",
                           "open_tree",
                           "move_mount",
                           "mount_setattr",
                           "ptrace",
                           "process_vm_readv",
                           "process_vm_writev",
                           "kcmp",
                           "keyctl",
                           "add_key",
                           "request_key",
                           "perf_event_open",
                           "bpf",
                           "userfaultfd",
                           "seccomp",
                           "open_by_handle_at",
                           "name_to_handle_at",
                           "setuid",
                           "setresuid",
                           "setgroups",
                           "capset",
                           "init_module",
                           "finit_module",
                           "kexec_load",
                           "reboot",
                           "swapon",
                           "acct",
                           "quotactl",
                           "syslog",
                           "settimeofday",
                           "clock_settime",
                           "clock_adjtime",
                           "adjtimex",
                           "fanotify_init",
                           "vmsplice",
                           "remap_file_pages",
                           "migrate_pages",
                           "move_pages",
                           "set_mempolicy",
                           "sched_setscheduler",
                           "sched_setattr",
                           "setpriority",
                           "ioprio_set",
                           "sethostname",
                           "shmget",
                           "semget",
                           "msgget",
                           "mq_open",
                           "mlock",
                           "iopl",
                           "ioperm",
                           "modify_ldt",
                           "pkey_alloc"}) {
    expect_verdicts(all_profiles(), {{name, {}, "EPERM"}});
  }
  expect_verdicts(all_profiles(), {{"sync", {}, "SUCCESS"}, {"syncfs", {}, "SUCCESS"}});
}

TEST(SeccompArguments, FlockIsForDefaultOnly) {
  expect_verdicts({"default", "loopback"}, {{"flock", {0, 2}, "ALLOW"}});
  expect_verdicts({"strict"}, {{"flock", {0, 2}, "ENOSYS"}});
}

TEST(SeccompArguments, OptionsOfSocketsThatTakeMemoryOrRunProgramsDoNothing) {
  std::vector<Case> cases = {{"setsockopt", {3, SOL_SOCKET, SO_SNDBUF}, "SUCCESS"},
                             {"setsockopt", {3, SOL_SOCKET, SO_REUSEADDR}, "ALLOW"},
                             {"setsockopt", {3, SOL_SOCKET, SO_RCVTIMEO}, "ALLOW"},
                             {"setsockopt", {3, SOL_SOCKET, SO_PASSCRED}, "ALLOW"}};
  for (const int option : {SO_ATTACH_FILTER, SO_ATTACH_BPF, SO_ATTACH_REUSEPORT_CBPF,
                           SO_ATTACH_REUSEPORT_EBPF, SO_BINDTODEVICE}) {
    cases.push_back({"setsockopt", {3, SOL_SOCKET, static_cast<std::uint64_t>(option)}, "EPERM"});
    // The same number on another level is another option.
    cases.push_back({"setsockopt", {3, 6, static_cast<std::uint64_t>(option)}, "ALLOW"});
  }
  cases.push_back({"setsockopt", {3, 6, SO_SNDBUF}, "ALLOW"});
  expect_verdicts(all_profiles(), cases);
}

// Nothing that a guest does reaches the host's disks or the pages of the shared image.
TEST(SeccompArguments, FlushingAndDroppingPagesHaveNoEffect) {
  constexpr std::uint64_t kDontNeed = 4;  // POSIX_FADV_DONTNEED
  std::vector<Case> cases = {{"sync", {}, "SUCCESS"},
                             {"syncfs", {3}, "SUCCESS"},
                             {"fsync", {3}, "SUCCESS"},
                             {"fdatasync", {3}, "SUCCESS"},
                             {"msync", {0x1000, 0x1000, 4}, "SUCCESS"},
                             {"mbind", {0x1000, 0x1000, 1}, "SUCCESS"},
                             {"fadvise64", {3, 0, 0, kDontNeed}, "SUCCESS"}};
  for (const std::uint64_t advice : Words{0, 1, 2, 3, 5, 6}) {
    cases.push_back({"fadvise64", {3, 4, 4, advice}, "ALLOW"});
  }
  expect_verdicts(all_profiles(), cases);
}

// Any argument words at all: the program says what the rules say.
TEST(SeccompArguments, ProgramsAgreeWithThePoliciesOnRandomArguments) {
  std::mt19937_64 random(41);
  const std::uint64_t interesting[] = {0, 1, 2, 4, 6, 10, 17, 0x1000, 0x5401, 0xffffffff};
  for (const std::string& profile : all_profiles()) {
    const SeccompPolicy& policy = builtin_policy(profile);
    for (const FilterArch arch : kBothArchs) {
      const FilterProgram& program = builtin_program(profile, arch);
      for (const std::string& name : allowed_names(policy).filtered) {
        if (!number_of(arch, name)) continue;
        for (int round = 0; round < 300; ++round) {
          Arguments arguments{};
          for (std::uint64_t& argument : arguments) {
            argument = interesting[random() % 10];
            if (random() % 4 == 0) argument ^= 1ULL << (random() % 64);
          }
          EXPECT_EQ(answer(program, arch, name, arguments),
                    expected_answer(policy, name, arguments))
              << profile << ' ' << arch_name(arch) << ' ' << name;
        }
      }
    }
  }
}

}  // namespace
}  // namespace sandbox::runner::test
