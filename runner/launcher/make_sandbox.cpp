// SPDX-License-Identifier: MIT
#include "make_sandbox.hpp"

#include <errno.h>
#include <fcntl.h>
#include <net/if.h>
#include <sched.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "identity.hpp"
#include "kernel.hpp"
#include "proof.hpp"
#include "tree.hpp"

namespace sandbox::runner::launcher {
namespace {

// A tmpfs for directories, links and small files; with an inode cap, without which size= bounds
// nothing (hardening M9).
int make_root_mount() {
  const int context = fsopen("tmpfs", FSOPEN_CLOEXEC);
  if (context < 0) return -1;
  const bool ok = fsconfig(context, FSCONFIG_SET_STRING, "source", "sandbox", 0) == 0 &&
                  fsconfig(context, FSCONFIG_SET_STRING, "size", "1m", 0) == 0 &&
                  fsconfig(context, FSCONFIG_SET_STRING, "nr_inodes", "1024", 0) == 0 &&
                  fsconfig(context, FSCONFIG_SET_STRING, "mode", "755", 0) == 0 &&
                  fsconfig(context, FSCONFIG_CMD_CREATE, nullptr, nullptr, 0) == 0;
  const int root = ok ? fsmount(context, FSMOUNT_CLOEXEC,
                                MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV | MOUNT_ATTR_NOEXEC)
                      : -1;
  const int error = errno;
  close(context);
  errno = error;
  return root;
}

void leave_old_root(const Context& context) {
  context.must(Step::old_root_gone, umount2(".", MNT_DETACH) == 0 && chdir("/") == 0);
  mount_attr attributes;
  memset(&attributes, 0, sizeof attributes);
  attributes.attr_set = MOUNT_ATTR_RDONLY;
  context.must(Step::root_read_only,
               mount_setattr(AT_FDCWD, "/", 0, &attributes, sizeof attributes) == 0);
  // Proven, not believed: nothing can be made in the root any more.
  const bool refused = mkdir("/.probe", 0700) != 0 && errno == EROFS;
  if (!refused) errno = EPERM;
  context.must(Step::root_read_only, refused);
}

void bring_loopback_up(const Context& context) {
  const int control = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  ifreq request;
  memset(&request, 0, sizeof request);
  memcpy(request.ifr_name, "lo", 3);
  request.ifr_flags = IFF_UP;
  context.must(Step::loopback_up, control >= 0 && ioctl(control, SIOCSIFFLAGS, &request) == 0);
  close(control);
}

int open_namespace(const Context& context, const char* path, int index) {
  const int opened = openat(kHostProc, path, O_RDONLY | O_CLOEXEC);
  context.must(Step::open_namespaces, opened >= 0, static_cast<std::uint32_t>(index));
  return opened;
}

void hand_over(const Context& context) {
  static constexpr const char* kNamespaces[] = {"self/ns/user", "self/ns/mnt", "self/ns/net",
                                                "self/ns/uts"};
  int descriptors[kMaxMadeDescriptors];
  int count = 0;
  for (const char* path : kNamespaces) {
    descriptors[count] = open_namespace(context, path, count);
    ++count;
  }
  descriptors[count] =
      open(context.text(context.make().work_path), O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  context.must(Step::open_work, descriptors[count] >= 0);
  ++count;
  if ((context.applied() & bit(Guard::time_namespace)) != 0) {
    descriptors[count] = open_namespace(context, "self/ns/time", count);
    ++count;
  }
  Reply reply;
  reply.kind = ReplyKind::made;
  reply.applied = context.applied();
  send_reply(context.reply(), reply, descriptors, count);
  _exit(0);
}

}  // namespace

bool copies_mounts_early(const Context& context) {
  if (context.header().switch_identity == 0) return false;
  const int copy = open_tree(AT_FDCWD, "/", OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC);
  const bool refused = copy < 0 && errno == EPERM;
  if (copy >= 0) close(copy);
  return !refused;
}

void enter_root(const Context& context) {
  context.must(Step::private_mounts,
               mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0);
  const int root = make_root_mount();
  context.must(Step::root_mount,
               root >= 0 && move_mount(root, "", AT_FDCWD, "/", MOVE_MOUNT_F_EMPTY_PATH) == 0 &&
                   fchdir(root) == 0);
  context.must(Step::pivot_root, syscall(SYS_pivot_root, ".", ".") == 0);
  close(root);
}

void make_sandbox(Context& context) {
  const MakeRequest& request = context.make();
  DetachedMounts mounts;

  // Root may see image paths that the guest's identity may not (an interpreter below a home
  // directory); anyone else clones in the new mount namespace, where alone it has the right to.
  const bool early = copies_mounts_early(context);
  if (early) mounts.open_binds(context, request.tree);
  take_outside_identity(context);
  enter_user_namespace(context);

  constexpr int kNamespaces = CLONE_NEWNS | CLONE_NEWNET | CLONE_NEWUTS | CLONE_NEWPID;
  context.must(Step::sandbox_namespaces, unshare(kNamespaces) == 0);
  // The builder lives in the new pid namespace: only there can it mount a /proc, which every run's
  // own /proc needs to find underneath.
  const pid_t builder = clone_process(CLONE_PARENT, nullptr);
  context.must(Step::spawn_builder, builder >= 0);
  if (builder > 0) _exit(0);

  die_with_launcher(context);
  if (!early) mounts.open_binds(context, request.tree);
  enter_root(context);
  build_tree(context, request.tree, mounts);
  leave_old_root(context);
  prove_mounts(context, request.tree);
  const char* name = context.text(request.host_name);
  context.must(Step::host_name, sethostname(name, strlen(name)) == 0 && setdomainname("", 0) == 0);
  if (request.loopback != 0) bring_loopback_up(context);
  prove_network(context, request.loopback != 0);
  hand_over(context);
  _exit(0);
}

}  // namespace sandbox::runner::launcher
