// SPDX-License-Identifier: MIT
#include "probe.hpp"

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "identity.hpp"
#include "kernel.hpp"
#include "landlock.hpp"
#include "make_sandbox.hpp"
#include "namespace_lock.hpp"
#include "process_guards.hpp"

namespace sandbox::runner::launcher {
namespace {

void try_clone3(Context& context) {
  const pid_t child = clone_process(0, nullptr);
  if (child == 0) _exit(0);
  context.must(Step::fork_stage, child > 0);
}

void try_user_namespace(Context& context) {
  context.must(Step::user_namespace, unshare(CLONE_NEWUSER) == 0);
}

void try_nothing_more(Context& /*context*/) {}

template <int kNamespace>
void try_namespace(Context& context) {
  context.must(Step::sandbox_namespaces, unshare(kNamespace) == 0);
}

void try_host_name(Context& context) {
  try_namespace<CLONE_NEWUTS>(context);
  context.must(Step::host_name, sethostname("sandbox", 7) == 0 && setdomainname("", 0) == 0);
}

void try_image_mount(Context& context) {
  if (!copies_mounts_early(context)) try_namespace<CLONE_NEWNS>(context);
  const int copy = open_tree(AT_FDCWD, "/", OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC | AT_RECURSIVE);
  mount_attr attributes;
  memset(&attributes, 0, sizeof attributes);
  attributes.attr_set = MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV;
  context.must(Step::clone_source,
               copy >= 0 && mount_setattr(copy, "", AT_EMPTY_PATH | AT_RECURSIVE, &attributes,
                                          sizeof attributes) == 0);
}

void try_root_mount(Context& context) {
  try_namespace<CLONE_NEWNS>(context);
  enter_root(context);
}

// A /proc of one's own belongs to a pid namespace of one's own.
void mount_proc(Context& context, const char* subset) {
  try_namespace<CLONE_NEWNS | CLONE_NEWPID>(context);
  const pid_t first = fork();
  context.must(Step::spawn_builder, first >= 0);
  if (first > 0) _exit(0);
  const int made = fsopen("proc", FSOPEN_CLOEXEC);
  const bool ok =
      made >= 0 &&
      (subset == nullptr || fsconfig(made, FSCONFIG_SET_STRING, "subset", subset, 0) == 0) &&
      fsconfig(made, FSCONFIG_CMD_CREATE, nullptr, nullptr, 0) == 0 &&
      fsmount(made, FSMOUNT_CLOEXEC, MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV | MOUNT_ATTR_NOEXEC) >= 0;
  context.must(Step::proc_mount, ok);
}

void try_process_view(Context& context) { mount_proc(context, "pid"); }
void try_full_proc(Context& context) { mount_proc(context, nullptr); }

void try_second_user_namespace(Context& context) {
  context.must(Step::allow_map_write, prctl(PR_SET_DUMPABLE, 1, 0, 0, 0) == 0);
  context.must(Step::inner_user_namespace, unshare(CLONE_NEWUSER) == 0);
  const KernelLine map = id_map_line(kGuestId, kSetupId);
  context.must(Step::inner_uid_map, write_kernel_file(kHostProc, "self/uid_map", map.text()));
}

void try_landlock(Context& context) { context.must(Step::landlock, landlock_abi() > 0); }

sock_fprog filter_that_allows(sock_filter& all) {
  all = sock_filter{BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW};
  sock_fprog program;
  memset(&program, 0, sizeof program);
  program.len = 1;
  program.filter = &all;
  return program;
}

void try_seccomp(Context& context) {
  sock_filter all;
  context.must(Step::seccomp_filter, install_filter(0, filter_that_allows(all)) == 0);
}

void try_denied_calls(Context& context) {
  sock_filter all;
  context.must(Step::denied_calls, install_with_listener(filter_that_allows(all)) >= 0);
}

enum class From { host, outside_identity, user_namespace };

class Attempt {
 public:
  From from;             // what comes before it, as in a real run
  std::uint32_t guards;  // protections that it cannot do without
  void (*carry_out)(Context&);
};

constexpr Attempt kAttempts[kProbes] = {
    {From::host, 0, try_clone3},
    {From::outside_identity, 0, try_user_namespace},
    {From::user_namespace, 0, try_nothing_more},  // id_map
    {From::user_namespace, 0, try_namespace<CLONE_NEWNS>},
    {From::user_namespace, 0, try_namespace<CLONE_NEWNET>},
    {From::user_namespace, 0, try_namespace<CLONE_NEWPID>},
    {From::user_namespace, 0, try_namespace<CLONE_NEWIPC>},
    {From::user_namespace, 0, try_host_name},
    {From::user_namespace, 0, try_namespace<CLONE_NEWCGROUP>},
    {From::user_namespace, bit(Guard::time_namespace), try_nothing_more},
    {From::user_namespace, 0, try_image_mount},
    {From::user_namespace, 0, try_root_mount},
    {From::user_namespace, 0, try_process_view},
    {From::user_namespace, 0, try_full_proc},
    {From::user_namespace, 0, try_second_user_namespace},
    {From::user_namespace, bit(Guard::namespace_lock), lock_namespaces},
    {From::outside_identity, bit(Guard::session_keyring), keep_to_itself},
    {From::outside_identity, bit(Guard::core_scheduling), keep_to_itself},
    {From::outside_identity, bit(Guard::write_xor_execute), refuse_writable_code},
    {From::outside_identity, 0, try_landlock},
    {From::outside_identity, 0, try_seccomp},
    {From::outside_identity, 0, try_denied_calls},
};

// The process of one attempt: the way there is that of a real run, so it fails where that would.
[[noreturn]] void attempt(const Context& asked, Probe probe, int report) {
  const Attempt& what = kAttempts[static_cast<std::size_t>(probe)];
  ProbeRequest own;
  own.header = asked.header();
  own.header.wanted = bit(Guard::inner_user_namespace) | what.guards;
  own.header.required = own.header.wanted;
  alignas(ProbeRequest) unsigned char bytes[sizeof own];
  memcpy(bytes, &own, sizeof own);
  Context context(bytes, report);
  // Root copies the mounts of an image before it gives up its identity.
  const bool as_root = probe == Probe::image_mount && copies_mounts_early(context);
  if (what.from != From::host && !as_root) take_outside_identity(context);
  die_with_launcher(context);
  if (what.from == From::user_namespace && !as_root) enter_user_namespace(context);
  what.carry_out(context);
  Reply reply;
  reply.kind = ReplyKind::probed;
  reply.landlock_abi = probe == Probe::landlock ? static_cast<std::uint32_t>(landlock_abi()) : 0;
  send_reply(report, reply, nullptr, 0);
  _exit(0);
}

// What became of an attempt; a process that ends without a word was killed.
Reply outcome_of(const Context& context, Probe probe) {
  Reply reply;
  int pair[2];
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) != 0) {
    reply.error = errno;
    return reply;
  }
  // fork: whether clone3 may be called at all is one of the questions.
  const pid_t child = fork();
  if (child == 0) {
    close(pair[0]);
    attempt(context, probe, pair[1]);
  }
  const int error = errno;
  close(pair[1]);
  int descriptor = -1;
  if (child < 0) {
    reply.error = error;
  } else if (!receive_reply(pair[0], reply, &descriptor)) {
    reply.error = ECHILD;
  }
  close(pair[0]);
  return reply;
}

}  // namespace

void try_all(const Context& context) {
  die_with_launcher(context);
  for (std::uint32_t i = 0; i < kProbes; ++i) {
    Reply reply = outcome_of(context, static_cast<Probe>(i));
    // What succeeded names no step and no error.
    reply.kind = ReplyKind::probed;
    reply.item = i;
    if (!send_reply(context.reply(), reply, nullptr, 0)) break;
  }
  _exit(0);
}

}  // namespace sandbox::runner::launcher
