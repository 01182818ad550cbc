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
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "accounting.hpp"
#include "identity.hpp"
#include "init_filter.hpp"
#include "kernel.hpp"
#include "landlock.hpp"
#include "namespace_lock.hpp"
#include "observer.hpp"
#include "process_guards.hpp"
#include "proof.hpp"
#include "run.hpp"
#include "tree.hpp"

namespace sandbox::runner::launcher {
namespace {

// Where init keeps the descriptors that it needs.
constexpr int kReply = 3;
constexpr int kStatus = 4;
constexpr int kProc = 5;
constexpr int kOutOfTheWay = 16;
constexpr rlim_t kPendingSignals = 256;  // as the program has

// A view on the run's own processes that hides none, and that nothing but this descriptor leads to.
int open_own_processes(const Context& context) {
  const int made = fsopen("proc", FSOPEN_CLOEXEC);
  int view = -1;
  if (made >= 0 && fsconfig(made, FSCONFIG_SET_STRING, "subset", "pid", 0) == 0 &&
      fsconfig(made, FSCONFIG_CMD_CREATE, nullptr, nullptr, 0) == 0) {
    constexpr unsigned kFlags =
        MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV | MOUNT_ATTR_NOEXEC;
    const int mounted = fsmount(made, FSMOUNT_CLOEXEC, kFlags);
    view = mounted < 0 ? -1 : openat(mounted, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (mounted >= 0) close(mounted);
  }
  const int error = errno;
  if (made >= 0) close(made);
  errno = error;
  // Where the guest may go without a /proc, so may this.
  const bool guest_has_none =
      context.wants(Guard::process_view) && (context.applied() & bit(Guard::process_view)) == 0;
  if (!guest_has_none) context.must(Step::accounting, view >= 0);
  return view;
}

// What a guest may queue for init is kernel memory of the host (sigqueue(3)).
void limit_own_signals(const Context& context) {
  rlimit pending{};
  const bool known = getrlimit(RLIMIT_SIGPENDING, &pending) == 0;
  if (pending.rlim_max > kPendingSignals) pending.rlim_max = kPendingSignals;
  pending.rlim_cur = pending.rlim_max;
  context.must(Step::resource_limit, known && setrlimit(RLIMIT_SIGPENDING, &pending) == 0);
}

void protect_host_from_dumps(const Context& context) {
  // Inherited over fork and exec. Together with RLIMIT_CORE=1 no memory of the guest reaches a dump
  // handler of the host (hardening step 30).
  context.must(Step::no_dump, write_kernel_file(kHostProc, "self/coredump_filter", "0\n"));
  // When the host runs out of memory, a guest goes before anything of the host does. Where a
  // container runtime has set more already, that is as good, and may not be lowered.
  char now[16];
  const bool known = read_kernel_file(kHostProc, "self/oom_score_adj", now, sizeof now) > 0;
  const bool is_first = known && now[0] != '-' &&
                        (strlen(now) > 4 || strncmp(now, "900", 3) >= 0) && strlen(now) >= 4;
  context.must(Step::oom_first,
               is_first || write_kernel_file(kHostProc, "self/oom_score_adj", "900\n"));
}

// The second user namespace: the capabilities that it grants have no power over the mounts, which
// belong to the first. From here on the ids are the guest's.
void enter_inner_user_namespace(Context& context) {
  context.must(Step::allow_map_write, prctl(PR_SET_DUMPABLE, 1, 0, 0, 0) == 0);
  protect_host_from_dumps(context);
  if (context.wants(Guard::inner_user_namespace) &&
      context.try_step(Guard::inner_user_namespace, Step::inner_user_namespace,
                       unshare(CLONE_NEWUSER) == 0)) {
    const KernelLine map = id_map_line(kGuestId, kSetupId);
    context.must(Step::inner_uid_map, write_kernel_file(kHostProc, "self/uid_map", map.text()));
    context.must(Step::inner_gid_map, write_kernel_file(kHostProc, "self/gid_map", map.text()));
    context.add_applied(bit(Guard::inner_user_namespace));
  }
  lock_namespaces(context);
  context.must(Step::allow_map_write, prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) == 0);
}

void drop_capabilities(Context& context) {
  if (!context.wants(Guard::capabilities)) return;
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
  context.add_applied(bit(Guard::capabilities));
}

// Moves the descriptors that init needs to their places and closes all others.
void keep_only(Context& context, int status, int proc) {
  // By way of high numbers, as each may sit where another one goes.
  const int high_reply = fcntl(context.reply(), F_DUPFD_CLOEXEC, kOutOfTheWay);
  const int high_status = fcntl(status, F_DUPFD_CLOEXEC, kOutOfTheWay);
  const int high_proc = proc < 0 ? -1 : fcntl(proc, F_DUPFD_CLOEXEC, kOutOfTheWay);
  context.must(Step::close_descriptors,
               high_reply >= 0 && high_status >= 0 && (proc < 0 || high_proc >= 0));
  context.answer_on(high_reply);
  context.must(Step::close_descriptors,
               dup3(high_reply, kReply, O_CLOEXEC) == kReply &&
                   dup3(high_status, kStatus, O_CLOEXEC) == kStatus &&
                   (proc < 0 || dup3(high_proc, kProc, O_CLOEXEC) == kProc));
  context.answer_on(kReply);
  const unsigned first_unused = proc < 0 ? kProc : kProc + 1;
  context.must(Step::close_descriptors, close_range(first_unused, ~0U, 0) == 0);
}

// Hands on what the workload says went wrong; nothing at all: it was killed on the way.
[[noreturn]] void fail_for_workload(const Context& context, bool told, const Reply& failed) {
  if (told) context.fail(failed.step, failed.error, failed.item);
  context.fail(Step::spawn_workload, ECANCELED, 0);
}

// The workload has done all of its steps and stands before the exec. Returns the listener of denied
// calls, -1 without one.
int await_ready(Context& context, pid_t workload) {
  Reply ready;
  int listener = -1;
  const bool told = receive_reply(kStatus, ready, &listener);
  if (!told || ready.kind != ReplyKind::ready) fail_for_workload(context, told, ready);
  context.add_applied(ready.applied);
  // Lost on the way, as when this process may open no more: refused calls would be nobody's.
  if ((ready.applied & bit(Guard::denied_calls)) != 0) {
    if (listener < 0) errno = EMFILE;
    context.must(Step::denied_calls, listener >= 0);
  }
  const int proc = fcntl(kProc, F_GETFD) >= 0 ? kProc : -1;
  if (proc >= 0) prove_workload(context, proc, workload);
  return listener;
}

// Lets the workload exec, and tells the host when it has: the exec itself closes the socket.
void let_go(const Context& context, std::uint32_t landlock_abi) {
  const char go = 'g';
  (void)!write(kStatus, &go, 1);
  Reply failed;
  int none = -1;
  if (receive_reply(kStatus, failed, &none)) {
    context.fail(failed.step, failed.error, failed.item);
  }
  close(kStatus);
  Reply started;
  started.kind = ReplyKind::started;
  started.applied = context.applied();
  started.landlock_abi = landlock_abi;
  send_reply(context.reply(), started, nullptr, 0);
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

std::uint64_t micros(const timeval& time) {
  return static_cast<std::uint64_t>(time.tv_sec) * 1000000ULL +
         static_cast<std::uint64_t>(time.tv_usec);
}

std::uint64_t reaped_us() {
  rusage used;
  memset(&used, 0, sizeof used);
  getrusage(RUSAGE_CHILDREN, &used);
  return micros(used.ru_utime) + micros(used.ru_stime);
}

// Until the program has ended, a limit of the whole run is met, the host asks to stop, or the host
// is gone.
void supervise(const Context& context, int signals, Observer& observer, Accounting& accounting,
               pid_t workload, WorkloadEnd& end) {
  pollfd waits[3] = {
      {signals, POLLIN, 0}, {context.reply(), POLLIN, 0}, {observer.descriptor(), POLLIN, 0}};
  while (!end.seen) {
    const int ready = poll(waits, 3, accounting.wait_ms());
    if (ready < 0) continue;
    if (waits[1].revents != 0) return;
    // Hung up: the last process under the filter is gone.
    if ((waits[2].revents & POLLIN) != 0) {
      observer.answer_one();
    } else if (waits[2].revents != 0) {
      waits[2].fd = -1;
    }
    if (waits[0].revents != 0) {
      signalfd_siginfo taken;
      while (read(signals, &taken, sizeof taken) > 0) {
      }
      if (!reap(workload, end, WNOHANG)) return;
    }
    accounting.set_reaped_us(reaped_us());
    if (accounting.check()) return;
  }
}

void report_end(const Context& context, const WorkloadEnd& end, std::uint64_t started_ns,
                const Observer& observer, Accounting& accounting) {
  rusage used;
  memset(&used, 0, sizeof used);
  getrusage(RUSAGE_CHILDREN, &used);
  Reply reply;
  reply.kind = ReplyKind::ended;
  reply.code = WIFEXITED(end.wait_status) ? CLD_EXITED : CLD_KILLED;
  reply.status =
      WIFEXITED(end.wait_status) ? WEXITSTATUS(end.wait_status) : WTERMSIG(end.wait_status);
  reply.wall_ns = end.at_ns - started_ns;
  reply.user_us = micros(used.ru_utime);
  reply.system_us = micros(used.ru_stime);
  reply.max_rss_kib = static_cast<std::uint64_t>(used.ru_maxrss);
  accounting.finish(reply);
  observer.write_to(reply);
  send_reply(context.reply(), reply, nullptr, 0);
}

// All that init does for the run while it still has the capabilities to. Returns the view on the
// run's processes.
int prepare(Context& context) {
  die_with_launcher(context);
  context.must(Step::new_session, setsid() >= 0);
  const Span& tree = context.run().tree;
  DetachedMounts mounts;
  mounts.open_kept(context, tree);
  build_tree(context, tree, mounts);
  keep_to_itself(context);
  limit_own_signals(context);
  const int proc = open_own_processes(context);
  enter_inner_user_namespace(context);
  drop_capabilities(context);
  context.must(Step::no_new_privs, prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0);
  prove_namespace_lock(context);
  die_with_launcher(context);
  return proc;
}

}  // namespace

void be_init(Context& context, const RunDescriptors& descriptors) {
  const int proc = prepare(context);

  sigset_t all;
  sigfillset(&all);
  const bool blocked =
      sigprocmask(SIG_SETMASK, &all, nullptr) == 0 && signal(SIGCHLD, SIG_DFL) != SIG_ERR;
  context.must(Step::signal_state, blocked);
  int status[2];
  context.must(Step::status_pipe,
               socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, status) == 0);
  const pid_t workload = fork();
  context.must(Step::spawn_workload, workload >= 0);
  if (workload == 0) become_workload(context, descriptors, status[1]);

  keep_only(context, status[0], proc);
  const int listener = await_ready(context, workload);
  sigset_t child;
  sigemptyset(&child);
  sigaddset(&child, SIGCHLD);
  const int signals = signalfd(-1, &child, SFD_CLOEXEC | SFD_NONBLOCK);
  context.must(Step::signal_state, signals >= 0);
  const int abi = (context.applied() & bit(Guard::landlock)) != 0 ? landlock_abi() : 0;
  Observer observer(context, listener);
  // One for each init; too large for a stack that the host may have made small.
  static Accounting accounting(context, proc < 0 ? -1 : kProc);
  context.must(Step::init_filter, install_init_filter());

  let_go(context, static_cast<std::uint32_t>(abi));
  const std::uint64_t started_ns = now_ns();
  WorkloadEnd end;
  if (reap(workload, end, WNOHANG)) {
    supervise(context, signals, observer, accounting, workload, end);
  }
  // Everything that the program started ends with it; fork() in a process with a pending SIGKILL
  // fails, so one pass is complete.
  kill(-1, SIGKILL);
  reap(workload, end, 0);
  report_end(context, end, started_ns, observer, accounting);
  _exit(0);
}

}  // namespace sandbox::runner::launcher
