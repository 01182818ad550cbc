// SPDX-License-Identifier: MIT
#include "identity.hpp"

#include <fcntl.h>
#include <grp.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#include "kernel.hpp"

namespace sandbox::runner::launcher {
namespace {

// Clocks that count from boot begin at zero with the sandbox (hardening step 27, M25). Whole
// seconds, so that no clock comes out below zero.
bool hide_uptime() {
  timespec monotonic;
  timespec boot;
  if (clock_gettime(CLOCK_MONOTONIC, &monotonic) != 0 ||
      clock_gettime(CLOCK_BOOTTIME, &boot) != 0) {
    return false;
  }
  KernelLine line;
  line.add("monotonic -").add(static_cast<std::uint64_t>(monotonic.tv_sec)).add(" 0\nboottime -");
  line.add(static_cast<std::uint64_t>(boot.tv_sec)).add(" 0\n");
  return write_kernel_file(kHostProc, "self/timens_offsets", line.text());
}

}  // namespace

void take_outside_identity(const Context& context) {
  const Header& header = context.header();
  if (header.switch_identity == 0) return;
  context.must(Step::drop_groups, syscall(SYS_setgroups, 0, nullptr) == 0);
  const gid_t gid = header.outside_gid;
  const uid_t uid = header.outside_uid;
  context.must(Step::drop_gid, syscall(SYS_setresgid, gid, gid, gid) == 0);
  context.must(Step::drop_uid, syscall(SYS_setresuid, uid, uid, uid) == 0 && geteuid() == uid);
}

void enter_user_namespace(Context& context) {
  const Header& header = context.header();
  // Without the second namespace the guest's id has to be given here.
  const std::uint32_t inside = context.wants(Guard::inner_user_namespace) ? kSetupId : kGuestId;
  // A process that is not dumpable has its /proc files owned by root and could not write its maps.
  context.must(Step::allow_map_write, prctl(PR_SET_DUMPABLE, 1, 0, 0, 0) == 0);
  context.must(Step::user_namespace, unshare(CLONE_NEWUSER) == 0);
  context.must(Step::setgroups_deny, write_kernel_file(kHostProc, "self/setgroups", "deny\n"));
  const KernelLine uid_map = id_map_line(inside, header.outside_uid);
  const KernelLine gid_map = id_map_line(inside, header.outside_gid);
  context.must(Step::uid_map, write_kernel_file(kHostProc, "self/uid_map", uid_map.text()));
  context.must(Step::gid_map, write_kernel_file(kHostProc, "self/gid_map", gid_map.text()));
  // Only for children: the builder and, through its descriptor, every run.
  if (context.wants(Guard::time_namespace) &&
      context.try_step(Guard::time_namespace, Step::time_namespace, unshare(kCloneNewTime) == 0) &&
      context.try_step(Guard::time_namespace, Step::time_offsets, hide_uptime())) {
    context.add_applied(bit(Guard::time_namespace));
  }
  context.must(Step::allow_map_write, prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) == 0);
}

void die_with_launcher(const Context& context) {
  context.must(Step::die_with_parent, prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) == 0);
}

}  // namespace sandbox::runner::launcher
