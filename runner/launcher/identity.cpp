// SPDX-License-Identifier: MIT
#include "identity.hpp"

#include <fcntl.h>
#include <grp.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "kernel.hpp"

namespace sandbox::runner::launcher {

void take_outside_identity(const Context& context) {
  const Header& header = context.header();
  if (header.switch_identity == 0) return;
  context.must(Step::drop_groups, syscall(SYS_setgroups, 0, nullptr) == 0);
  const gid_t gid = header.outside_gid;
  const uid_t uid = header.outside_uid;
  context.must(Step::drop_gid, syscall(SYS_setresgid, gid, gid, gid) == 0);
  context.must(Step::drop_uid, syscall(SYS_setresuid, uid, uid, uid) == 0 && geteuid() == uid);
}

void enter_user_namespace(const Context& context) {
  const Header& header = context.header();
  // A process that is not dumpable has its /proc files owned by root and could not write its maps.
  context.must(Step::allow_map_write, prctl(PR_SET_DUMPABLE, 1, 0, 0, 0) == 0);
  context.must(Step::user_namespace, unshare(CLONE_NEWUSER) == 0);
  context.must(Step::setgroups_deny, write_kernel_file(AT_FDCWD, "/proc/self/setgroups", "deny\n"));
  const IdMapLine uid_map(kSetupId, header.outside_uid);
  const IdMapLine gid_map(kSetupId, header.outside_gid);
  context.must(Step::uid_map, write_kernel_file(AT_FDCWD, "/proc/self/uid_map", uid_map.text()));
  context.must(Step::gid_map, write_kernel_file(AT_FDCWD, "/proc/self/gid_map", gid_map.text()));
  context.must(Step::allow_map_write, prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) == 0);
}

void die_with_launcher(const Context& context) {
  context.must(Step::die_with_parent, prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) == 0);
}

}  // namespace sandbox::runner::launcher
