// SPDX-License-Identifier: MIT
#include "process_guards.hpp"

#include <errno.h>
#include <linux/keyctl.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace sandbox::runner::launcher {
namespace {

constexpr int kSchedCore = 62;            // PR_SCHED_CORE
constexpr int kSchedCoreCreate = 1;       // PR_SCHED_CORE_CREATE
constexpr int kSchedCoreThreadGroup = 1;  // PR_SCHED_CORE_SCOPE_THREAD_GROUP
constexpr int kSetMdwe = 65;              // PR_SET_MDWE, PR_GET_MDWE, since Linux 6.3
constexpr int kGetMdwe = 66;              //
constexpr unsigned long kMdwe = 1;        // PR_MDWE_REFUSE_EXEC_GAIN

}  // namespace

void keep_to_itself(Context& context) {
  if (context.wants(Guard::session_keyring) &&
      context.try_step(Guard::session_keyring, Step::session_keyring,
                       syscall(SYS_keyctl, KEYCTL_JOIN_SESSION_KEYRING, nullptr) > 0)) {
    context.add_applied(bit(Guard::session_keyring));
  }
  if (context.wants(Guard::core_scheduling) &&
      context.try_step(Guard::core_scheduling, Step::core_scheduling,
                       prctl(kSchedCore, kSchedCoreCreate, 0, kSchedCoreThreadGroup, 0) == 0)) {
    context.add_applied(bit(Guard::core_scheduling));
  }
}

void refuse_writable_code(Context& context) {
  if (!context.wants(Guard::write_xor_execute)) return;
  const bool set = prctl(kSetMdwe, kMdwe, 0, 0, 0) == 0 && prctl(kGetMdwe, 0, 0, 0, 0) == kMdwe;
  if (context.try_step(Guard::write_xor_execute, Step::write_xor_execute, set)) {
    context.add_applied(bit(Guard::write_xor_execute));
  }
}

long install_filter(unsigned flags, const sock_fprog& program) {
  return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &program);
}

int install_with_listener(const sock_fprog& program) {
  constexpr unsigned kListen = SECCOMP_FILTER_FLAG_NEW_LISTENER;
  constexpr unsigned kUninterrupted = 1U << 5U;  // ..._WAIT_KILLABLE_RECV, since Linux 5.19
  const long listener = install_filter(kListen | kUninterrupted, program);
  if (listener >= 0 || errno != EINVAL) return static_cast<int>(listener);
  return static_cast<int>(install_filter(kListen, program));
}

}  // namespace sandbox::runner::launcher
