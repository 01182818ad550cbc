// pid 1 of a run.
// SPDX-License-Identifier: MIT
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/securebits.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "identity.hpp"
#include "kernel.hpp"
#include "run.hpp"
#include "tree.hpp"

namespace sandbox::runner::launcher {
namespace {

// Where init keeps the two descriptors that it needs.
constexpr int kReply = 3;
constexpr int kStatus = 4;

std::uint64_t now_ns() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<std::uint64_t>(now.tv_sec) * 1000000000ULL +
         static_cast<std::uint64_t>(now.tv_nsec);
}

// The guest sees a read-only /proc; init writes its own files there through a copy of the mount
// that stays writable and that nothing but this descriptor leads to.
int take_writable_proc(const Context& context) {
  const int writable = open_tree(AT_FDCWD, "/proc", OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC);
  context.must(Step::proc_writable, writable >= 0);
  mount_attr attributes;
  memset(&attributes, 0, sizeof attributes);
  attributes.attr_set = MOUNT_ATTR_RDONLY;
  context.must(Step::proc_read_only,
               mount_setattr(AT_FDCWD, "/proc", 0, &attributes, sizeof attributes) == 0);
  return writable;
}

// The second user namespace: the capabilities that it grants have no power over the mounts, which
// belong to the first. From here on the ids are the guest's.
void enter_inner_user_namespace(const Context& context, int proc) {
  context.must(Step::allow_map_write, prctl(PR_SET_DUMPABLE, 1, 0, 0, 0) == 0);
  // Inherited over fork and exec. Together with RLIMIT_CORE=1 no memory of the guest reaches a dump
  // handler of the host (hardening step 30).
  context.must(Step::no_dump, write_kernel_file(proc, "self/coredump_filter", "0\n"));
  // When the host runs out of memory, a guest goes before anything of the host does.
  context.must(Step::oom_first, write_kernel_file(proc, "self/oom_score_adj", "900\n"));
  context.must(Step::inner_user_namespace, unshare(CLONE_NEWUSER) == 0);
  const IdMapLine map(kGuestId, kSetupId);
  context.must(Step::inner_uid_map, write_kernel_file(proc, "self/uid_map", map.text()));
  context.must(Step::inner_gid_map, write_kernel_file(proc, "self/gid_map", map.text()));
  context.must(Step::allow_map_write, prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) == 0);
}

void drop_capabilities(const Context& context) {
  constexpr unsigned long kLocked = SECBIT_NOROOT | SECBIT_NOROOT_LOCKED | SECBIT_NO_SETUID_FIXUP |
                                    SECBIT_NO_SETUID_FIXUP_LOCKED | SECBIT_KEEP_CAPS_LOCKED |
                                    SECBIT_NO_CAP_AMBIENT_RAISE |
                                    SECBIT_NO_CAP_AMBIENT_RAISE_LOCKED;
  context.must(Step::drop_capabilities,
               prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0) == 0);
  for (unsigned long capability = 0; capability < 64; ++capability) {
    if (prctl(PR_CAPBSET_DROP, capability, 0, 0, 0) == 0) continue;
    context.must(Step::drop_capabilities, errno == EINVAL && capability > CAP_CHECKPOINT_RESTORE,
                 static_cast<std::uint32_t>(capability));
    break;
  }
  context.must(Step::drop_capabilities, prctl(PR_SET_SECUREBITS, kLocked, 0, 0, 0) == 0);
  __user_cap_header_struct header;
  header.version = _LINUX_CAPABILITY_VERSION_3;
  header.pid = 0;
  __user_cap_data_struct none[2];
  memset(none, 0, sizeof none);
  context.must(Step::drop_capabilities, syscall(SYS_capset, &header, none) == 0);

  // Proven: nothing is left in any of the three sets, nor in the bounding set.
  __user_cap_data_struct left[2];
  bool gone = syscall(SYS_capget, &header, left) == 0 && memcmp(left, none, sizeof left) == 0 &&
              prctl(PR_GET_SECUREBITS, 0, 0, 0, 0) == static_cast<int>(kLocked);
  for (unsigned long capability = 0; capability <= CAP_LAST_CAP; ++capability) {
    gone = gone && prctl(PR_CAPBSET_READ, capability, 0, 0, 0) != 1;
  }
  if (!gone) errno = EPERM;
  context.must(Step::capabilities_gone, gone);
}

// Moves the two descriptors that init needs to 3 and 4 and closes all others. What comes back
// answers on the moved one.
Context keep_only(const Context& context, int status) {
  // By way of high numbers, as either may sit where the other one goes.
  const int high_reply = fcntl(context.reply(), F_DUPFD_CLOEXEC, 64);
  const int high_status = fcntl(status, F_DUPFD_CLOEXEC, 64);
  context.must(Step::close_descriptors, high_reply >= 0 && high_status >= 0);
  const Context high(context.at<unsigned char>(0), high_reply);
  high.must(Step::close_descriptors, dup3(high_reply, kReply, O_CLOEXEC) == kReply &&
                                         dup3(high_status, kStatus, O_CLOEXEC) == kStatus);
  const Context kept(context.at<unsigned char>(0), kReply);
  kept.must(Step::close_descriptors, close_range(kStatus + 1, ~0U, 0) == 0);
  return kept;
}

// How the exec went: the workload writes a byte when it is about to, a Reply when a step failed,
// and the exec itself closes the pipe.
void await_exec(const Context& context, int status) {
  alignas(Reply) unsigned char buffer[1 + sizeof(Reply)];
  std::size_t have = 0;
  for (;;) {
    const ssize_t got = read(status, buffer + have, sizeof buffer - have);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    have += static_cast<std::size_t>(got);
  }
  close(status);
  if (have == 1) {
    Reply started;
    started.kind = ReplyKind::started;
    send_reply(context.reply(), started, nullptr, 0);
    return;
  }
  Reply failed;
  if (have >= sizeof failed) memcpy(&failed, buffer + have - sizeof failed, sizeof failed);
  // Nothing at all: it was killed on the way.
  if (have == 0) failed.step = Step::spawn_workload;
  context.fail(failed.step, have == 0 ? ECANCELED : failed.error, failed.item);
}

class WorkloadEnd {
 public:
  bool seen = false;
  int wait_status = 0;
  std::uint64_t at_ns = 0;
};

// Takes what has died by now. True while there are children left.
bool reap(pid_t workload, WorkloadEnd& end, int options) {
  for (;;) {
    int status = 0;
    const pid_t pid = waitpid(-1, &status, options);
    if (pid == 0) return true;
    if (pid < 0) {
      if (errno == EINTR) continue;
      return false;
    }
    if (pid == workload) {
      end.seen = true;
      end.wait_status = status;
      end.at_ns = now_ns();
    }
  }
}

// Until the program has ended, the host asks to stop, or the host is gone.
void supervise(const Context& context, int signals, pid_t workload, WorkloadEnd& end) {
  pollfd waits[2] = {{signals, POLLIN, 0}, {context.reply(), POLLIN, 0}};
  while (!end.seen) {
    if (poll(waits, 2, -1) < 0) continue;
    if (waits[1].revents != 0) return;
    signalfd_siginfo taken;
    while (read(signals, &taken, sizeof taken) > 0) {
    }
    if (!reap(workload, end, WNOHANG)) return;
  }
}

void report_end(const Context& context, const WorkloadEnd& end, std::uint64_t started_ns) {
  rusage used;
  memset(&used, 0, sizeof used);
  getrusage(RUSAGE_CHILDREN, &used);
  const auto micros = [](const timeval& time) {
    return static_cast<std::uint64_t>(time.tv_sec) * 1000000ULL +
           static_cast<std::uint64_t>(time.tv_usec);
  };
  Reply reply;
  reply.kind = ReplyKind::ended;
  reply.code = WIFEXITED(end.wait_status) ? CLD_EXITED : CLD_KILLED;
  reply.status =
      WIFEXITED(end.wait_status) ? WEXITSTATUS(end.wait_status) : WTERMSIG(end.wait_status);
  reply.wall_ns = end.at_ns - started_ns;
  reply.user_us = micros(used.ru_utime);
  reply.system_us = micros(used.ru_stime);
  reply.max_rss_kib = static_cast<std::uint64_t>(used.ru_maxrss);
  send_reply(context.reply(), reply, nullptr, 0);
}

void prepare(const Context& context) {
  die_with_launcher(context);
  context.must(Step::new_session, setsid() >= 0);
  umask(022);
  const Span& tree = context.run().tree;
  DetachedMounts mounts;
  mounts.open_kept(context, tree);
  build_tree(context, tree, mounts);
  const int proc = take_writable_proc(context);
  enter_inner_user_namespace(context, proc);
  close(proc);
  drop_capabilities(context);
  context.must(Step::no_new_privs, prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0);
  die_with_launcher(context);
}

}  // namespace

void be_init(const Context& context, const RunDescriptors& descriptors) {
  prepare(context);

  sigset_t all;
  sigfillset(&all);
  const bool blocked =
      sigprocmask(SIG_SETMASK, &all, nullptr) == 0 && signal(SIGCHLD, SIG_DFL) != SIG_ERR;
  context.must(Step::signal_state, blocked);
  int status[2];
  context.must(Step::status_pipe, pipe2(status, O_CLOEXEC) == 0);
  const pid_t workload = fork();
  context.must(Step::spawn_workload, workload >= 0);
  if (workload == 0) become_workload(context, descriptors, status[1]);

  const Context kept = keep_only(context, status[0]);
  await_exec(kept, kStatus);
  const std::uint64_t started_ns = now_ns();
  sigset_t child;
  sigemptyset(&child);
  sigaddset(&child, SIGCHLD);
  const int signals = signalfd(-1, &child, SFD_CLOEXEC | SFD_NONBLOCK);
  kept.must(Step::signal_state, signals >= 0);

  WorkloadEnd end;
  if (reap(workload, end, WNOHANG)) supervise(kept, signals, workload, end);
  // Everything that the program started ends with it; fork() in a process with a pending SIGKILL
  // fails, so one pass is complete.
  kill(-1, SIGKILL);
  reap(workload, end, 0);
  report_end(kept, end, started_ns);
  _exit(0);
}

}  // namespace sandbox::runner::launcher
