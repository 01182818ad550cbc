// SPDX-License-Identifier: MIT
#include "kernel_calls.hpp"

#include <fcntl.h>
#include <linux/openat2.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <system_error>

#include "fd.hpp"
#include "fixes.hpp"
#include "sandbox/error.hpp"

namespace sandbox::runner {
namespace {

int error_of(long result) { return result < 0 ? errno : 0; }

int error_of_descriptor(long result) {
  const int error = error_of(result);
  const Fd closed(error == 0 ? static_cast<int>(result) : -1);
  return error;
}

// A structure of no size is EINVAL where the call is known.
int clone3_error() {
  const int error = error_of(::syscall(SYS_clone3, nullptr, 0));
  return error == EINVAL ? 0 : error;
}

int openat2_error() {
  open_how how{};
  how.flags = O_PATH | O_CLOEXEC;
  return error_of_descriptor(::syscall(SYS_openat2, AT_FDCWD, "/", &how, sizeof how));
}

int seccomp_error() {
  const std::uint32_t action = SECCOMP_RET_KILL_PROCESS;
  return error_of(::syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action));
}

std::array<KernelCall, 6> try_all() {
  constexpr unsigned kLast = ~0U;
  return {
      KernelCall{"clone3", "5.3", clone3_error()},
      KernelCall{"openat2", "5.6", openat2_error()},
      KernelCall{"close_range", "5.9", error_of(::syscall(SYS_close_range, kLast, kLast, 0))},
      KernelCall{"pidfd_open", "5.3",
                 error_of_descriptor(::syscall(SYS_pidfd_open, ::getpid(), 0))},
      KernelCall{"memfd_create", "3.17", error_of_descriptor(::memfd_create("probe", MFD_CLOEXEC))},
      KernelCall{"seccomp", "4.14 with CONFIG_SECCOMP_FILTER", seccomp_error()},
  };
}

}  // namespace

std::vector<KernelCall> missing_kernel_calls() {
  std::vector<KernelCall> missing;
  for (const KernelCall& call : try_all()) {
    // Descriptors or memory that ran out are no sign of that; what needs the call will tell.
    if (call.error == ENOSYS || call.error == EPERM || call.error == EINVAL) {
      missing.push_back(call);
    }
  }
  return missing;
}

std::string sentence_of(const KernelCall& call) {
  return "the system call " + std::string(call.name) +
         " cannot be used: " + std::generic_category().message(call.error);
}

void require_kernel_calls() {
  const std::vector<KernelCall> missing = missing_kernel_calls();
  if (missing.empty()) return;
  throw Error(errc::setup_failed, sentence_of(missing.front()) + "; " +
                                      call_fix(missing.front().since, HostFacts::read()));
}

}  // namespace sandbox::runner
