// SPDX-License-Identifier: MIT
#include "tree.hpp"

#include <fcntl.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <unistd.h>

namespace sandbox::runner::launcher {
namespace {

constexpr unsigned long kStReadOnly = 1;  // ST_RDONLY, ST_NOSUID, ST_NODEV of statfs(2)
constexpr unsigned long kStNoSuid = 2;
constexpr unsigned long kStNoDev = 4;
constexpr unsigned long kStNoExec = 8;

int clone_mount(int directory, const char* path, unsigned flags) {
  return open_tree(directory, path, flags | OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC);
}

// What is mounted is what the host looked at: a path swapped in between is another inode.
bool is_expected(int source, const TreeOp& op) {
  struct stat found;
  if (fstat(source, &found) != 0) return false;
  const bool is_device = (op.flags & kTreeIsDevice) != 0;
  const bool is_directory = (op.flags & kTreeIsDirectory) != 0;
  if (found.st_dev != op.device || found.st_ino != op.inode || S_ISLNK(found.st_mode) ||
      S_ISDIR(found.st_mode) != is_directory || S_ISCHR(found.st_mode) != is_device) {
    errno = ESTALE;
    return false;
  }
  return true;
}

// What is mounted there has at least these flags.
void prove_flags(const Context& context, const char* path, unsigned long wanted,
                 std::uint32_t item) {
  struct statfs state;
  const bool known = statfs(path, &state) == 0;
  if (known) errno = EPERM;
  context.must(Step::tree_prove,
               known && (static_cast<unsigned long>(state.f_flags) & wanted) == wanted, item);
}

// A tmpfs without a limit shows none; the plan says when that is what it wants.
void prove_size(const Context& context, const TreeOp& op, std::uint32_t item) {
  struct statfs state;
  const bool known = statfs(context.text(op.path), &state) == 0;
  const bool limits_files = strstr(context.text(op.text), "nr_inodes=0") == nullptr;
  if (known) errno = EPERM;
  context.must(Step::tree_prove, known && state.f_blocks > 0 && (state.f_files > 0) == limits_files,
               item);
}

void attach(const Context& context, const TreeOp& op, int mount_fd, std::uint32_t item) {
  const char* path = context.text(op.path);
  if ((op.flags & kTreeIsDirectory) != 0) {
    context.must(Step::tree_directory, mkdir(path, 0755) == 0 || errno == EEXIST, item);
  } else {
    const int file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0644);
    context.must(Step::tree_file, file >= 0 || errno == EROFS, item);
    if (file >= 0) close(file);
  }
  context.must(Step::tree_attach,
               move_mount(mount_fd, "", AT_FDCWD, path, MOVE_MOUNT_F_EMPTY_PATH) == 0, item);
  close(mount_fd);
  prove_flags(context, path,
              kStReadOnly | kStNoSuid | ((op.flags & kTreeIsDevice) != 0 ? 0UL : kStNoDev), item);
}

void write_file(const Context& context, const TreeOp& op, std::uint32_t item) {
  const char* content = context.text(op.text);
  const std::size_t length = strlen(content);
  const int file =
      open(context.text(op.path), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, op.mode);
  const bool ok = file >= 0 && write(file, content, length) == static_cast<ssize_t>(length);
  context.must(Step::tree_file, ok, item);
  close(file);
}

void mount_proc(Context& context, const TreeOp& op, std::uint32_t item) {
  const bool ok = mount("proc", context.text(op.path), "proc",
                        MS_NOSUID | MS_NODEV | MS_NOEXEC | MS_RDONLY, context.text(op.text)) == 0;
  if (!context.wants(Guard::process_view)) {
    context.must(Step::proc_mount, ok, item);
  } else if (context.try_step(Guard::process_view, Step::proc_mount, ok, item)) {
    context.add_applied(bit(Guard::process_view));
  } else {
    return;
  }
  prove_flags(context, context.text(op.path), kStReadOnly | kStNoSuid | kStNoDev | kStNoExec, item);
}

void carry_out(Context& context, const TreeOp& op, DetachedMounts& mounts, std::uint32_t item) {
  const char* path = context.text(op.path);
  constexpr unsigned long kPlain = MS_NOSUID | MS_NODEV;
  constexpr unsigned long kNoExec = MS_NOEXEC;
  switch (op.kind) {
    case TreeKind::directory:
      context.must(Step::tree_directory, mkdir(path, op.mode) == 0 || errno == EEXIST, item);
      break;
    case TreeKind::link:
      context.must(Step::tree_link, symlink(context.text(op.text), path) == 0, item);
      break;
    case TreeKind::file:
      write_file(context, op, item);
      break;
    case TreeKind::bind:
    case TreeKind::keep:
      attach(context, op, mounts.take(item), item);
      break;
    case TreeKind::tmpfs: {
      const unsigned long flags = kPlain | ((op.flags & kTreeAllowExec) != 0 ? 0UL : kNoExec);
      context.must(Step::tree_tmpfs,
                   mount("sandbox", path, "tmpfs", flags, context.text(op.text)) == 0, item);
      prove_flags(context, path, kStNoSuid | kStNoDev | ((flags & MS_NOEXEC) != 0 ? kStNoExec : 0),
                  item);
      prove_size(context, op, item);
      break;
    }
    case TreeKind::proc:
      mount_proc(context, op, item);
      break;
  }
}

}  // namespace

DetachedMounts::DetachedMounts() {
  for (int& descriptor : descriptors_) descriptor = -1;
}

int DetachedMounts::take(std::uint32_t index) {
  const int descriptor = descriptors_[index];
  descriptors_[index] = -1;
  return descriptor;
}

void DetachedMounts::open_binds(const Context& context, const Span& tree) {
  const auto* ops = context.at<TreeOp>(tree.offset);
  for (std::uint32_t i = 0; i < tree.count; ++i) {
    if (ops[i].kind != TreeKind::bind) continue;
    const int source = open(context.text(ops[i].text), O_PATH | O_NOFOLLOW | O_CLOEXEC);
    context.must(Step::open_source, source >= 0 && is_expected(source, ops[i]), i);

    const bool is_device = (ops[i].flags & kTreeIsDevice) != 0;
    // Recursive, so that a mount of the host below it cannot come through writable.
    descriptors_[i] = clone_mount(source, "", AT_EMPTY_PATH | AT_RECURSIVE);
    mount_attr attributes;
    memset(&attributes, 0, sizeof attributes);
    attributes.attr_set =
        MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID | (is_device ? MOUNT_ATTR_NOEXEC : MOUNT_ATTR_NODEV);
    // A copy of a shared mount is its peer: what the host mounts below it later would come in,
    // writable as the host made it.
    attributes.propagation = MS_PRIVATE;
    context.must(
        Step::clone_source,
        descriptors_[i] >= 0 && mount_setattr(descriptors_[i], "", AT_EMPTY_PATH | AT_RECURSIVE,
                                              &attributes, sizeof attributes) == 0,
        i);
    close(source);
  }
}

void DetachedMounts::open_kept(const Context& context, const Span& tree) {
  const auto* ops = context.at<TreeOp>(tree.offset);
  for (std::uint32_t i = 0; i < tree.count; ++i) {
    if (ops[i].kind != TreeKind::keep) continue;
    descriptors_[i] = clone_mount(AT_FDCWD, context.text(ops[i].path), AT_RECURSIVE);
    context.must(Step::tree_keep, descriptors_[i] >= 0, i);
  }
}

void build_tree(Context& context, const Span& tree, DetachedMounts& mounts) {
  const auto* ops = context.at<TreeOp>(tree.offset);
  for (std::uint32_t i = 0; i < tree.count; ++i) carry_out(context, ops[i], mounts, i);
}

}  // namespace sandbox::runner::launcher
