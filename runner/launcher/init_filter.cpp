// SPDX-License-Identifier: MIT
#include "init_filter.hpp"

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdint>

namespace sandbox::runner::launcher {
namespace {

#if defined(__x86_64__)
constexpr std::uint32_t kArchitecture = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr std::uint32_t kArchitecture = AUDIT_ARCH_AARCH64;
#else
#error "the launcher knows x86-64 and aarch64"
#endif

constexpr std::uint32_t kAllowed[] = {
    // waiting, answering, ending
    SYS_ppoll,
    SYS_write,
    SYS_read,
    SYS_wait4,
    SYS_kill,
    SYS_sendmsg,
    SYS_recvmsg,
    SYS_close,
    SYS_exit_group,
    SYS_ioctl,  // answers of the observer; init holds no other descriptor that takes one
    // counting
    SYS_getrusage,
    SYS_clock_gettime,
    SYS_openat,
    SYS_lseek,
    SYS_getdents64,
    SYS_statfs,
    SYS_kcmp,
    // the kernel's own
    SYS_restart_syscall,
    SYS_rt_sigreturn,
    SYS_rt_sigprocmask,
#ifdef SYS_poll
    SYS_poll,
#endif
};
constexpr std::size_t kCount = sizeof kAllowed / sizeof kAllowed[0];

sock_filter statement(std::uint16_t code, std::uint32_t value) {
  return sock_filter{code, 0, 0, value};
}

}  // namespace

bool install_init_filter() {
  sock_filter program[kCount + 6];
  std::size_t length = 0;
  program[length++] = statement(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, arch));
  program[length++] = sock_filter{BPF_JMP | BPF_JEQ | BPF_K, 1, 0, kArchitecture};
  program[length++] = statement(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS);
  program[length++] = statement(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr));
  for (std::size_t i = 0; i < kCount; ++i) {
    const auto to_allow = static_cast<std::uint8_t>(kCount - i);
    program[length++] = sock_filter{BPF_JMP | BPF_JEQ | BPF_K, to_allow, 0, kAllowed[i]};
  }
  program[length++] = statement(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS);
  program[length++] = statement(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
  sock_fprog whole;
  memset(&whole, 0, sizeof whole);
  whole.len = static_cast<unsigned short>(length);
  whole.filter = program;
  return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &whole) == 0;
}

}  // namespace sandbox::runner::launcher
