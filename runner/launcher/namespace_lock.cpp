// SPDX-License-Identifier: MIT
#include "namespace_lock.hpp"

#include <fcntl.h>
#include <sched.h>
#include <unistd.h>

#include "kernel.hpp"

namespace sandbox::runner::launcher {
namespace {

constexpr const char* kNamespaceLimits[] = {
    "max_user_namespaces", "max_pid_namespaces",    "max_mnt_namespaces", "max_net_namespaces",
    "max_ipc_namespaces",  "max_cgroup_namespaces", "max_uts_namespaces",
};
// Not in every kernel or configuration.
constexpr const char* kFurtherLimits[] = {
    "max_time_namespaces",
    "max_inotify_instances",
    "max_fanotify_groups",
};

// A copy of the directory's permissions is taken at each open, for the user namespace that asks:
// the files below are those of our own namespace wherever /proc was mounted.
bool set_limits_to_zero() {
  const int limits = openat(kHostProc, "sys/user", O_PATH | O_DIRECTORY | O_CLOEXEC);
  if (limits < 0) return false;
  bool ok = true;
  int error = 0;
  for (const char* name : kNamespaceLimits) {
    if (ok && !write_kernel_file(limits, name, "0\n")) {
      ok = false;
      error = errno;
    }
  }
  for (const char* name : kFurtherLimits) {
    if (ok && !write_kernel_file(limits, name, "0\n") && errno != ENOENT) {
      ok = false;
      error = errno;
    }
  }
  close(limits);
  errno = error;
  return ok;
}

}  // namespace

void lock_namespaces(Context& context) {
  if (!context.wants(Guard::namespace_lock)) return;
  if (!context.try_step(Guard::namespace_lock, Step::namespace_lock, set_limits_to_zero())) return;
  context.add_applied(bit(Guard::namespace_lock));
}

void prove_namespace_lock(Context& context) {
  if ((context.applied() & bit(Guard::namespace_lock)) == 0) return;
  const bool refused = unshare(CLONE_NEWUSER) != 0 && errno == ENOSPC;
  if (!refused) errno = EPERM;
  context.must(Step::namespace_lock_proven, refused);
}

}  // namespace sandbox::runner::launcher
