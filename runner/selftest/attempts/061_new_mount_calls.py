# attempt: 61 mount by the newer calls
# SPDX-License-Identifier: MIT
# group: privileges
# critical: yes
# expect: fsopen=EPERM|ENOSYS open_tree=EPERM|ENOSYS fspick=EPERM|ENOSYS fsmount=EPERM|ENOSYS
# expect: fsconfig=EPERM|ENOSYS move_mount=EPERM|ENOSYS mount_setattr=EPERM|ENOSYS
# expect: open_tree_attr=EPERM|ENOSYS
# without seccomp: fsopen=EPERM open_tree=EPERM fspick=EPERM fsmount=EPERM fsconfig=EBADF|EINVAL move_mount=EPERM mount_setattr=EPERM open_tree_attr=EPERM|ENOSYS
# works: plain
import ctypes

HERE = -100  # AT_FDCWD
CLONE = 0x80001  # OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC
writable = (ctypes.c_uint64 * 4)(0, 1)  # attr_clr is MOUNT_ATTR_RDONLY

attempt("fsopen", syscall, 430, b"tmpfs", 1)
attempt("open_tree", syscall, 428, HERE, b"/usr", CLONE)
attempt("fspick", syscall, 433, HERE, b"/", 1)
attempt("fsmount", syscall, 432, -1, 1, 0)
attempt("fsconfig", syscall, 431, -1, 6, None, None, 0)
attempt("move_mount", syscall, 429, HERE, b"/usr/lib", HERE, b"/tmp", 0)
attempt("mount_setattr", syscall, 442, HERE, b"/usr/lib", 0, writable, 32)
attempt("open_tree_attr", syscall, 467, HERE, b"/usr/lib", CLONE, writable, 32)
