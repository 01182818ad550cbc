# attempt: 59 enter namespaces by descriptors, of whatever type
# SPDX-License-Identifier: MIT
# group: privileges
# critical: yes
# expect: net_any=EPERM net=EPERM mnt=EPERM uts=EPERM ipc=EPERM pid=EPERM cgroup=EPERM user=EPERM
# expect: time=EPERM|ENOENT pidfd_net=EPERM pidfd_user=EPERM pidfd_all=EPERM init=EPERM
# without seccomp: user=EINVAL|EPERM pidfd_user=EINVAL|EPERM pidfd_all=EINVAL|EPERM
# works: plain
import os

SETNS = 308 if os.uname().machine == "x86_64" else 268
TYPES = {"net": 0x40000000, "mnt": 0x20000, "uts": 0x4000000, "ipc": 0x8000000,
         "pid": 0x20000000, "cgroup": 0x2000000, "user": 0x10000000, "time": 0x80}


def enter(name, kind):
    fd = os.open("/proc/self/ns/" + name, os.O_RDONLY)
    try:
        syscall(SETNS, fd, kind)
    finally:
        os.close(fd)


attempt("net_any", enter, "net", 0)
for name, kind in TYPES.items():
    attempt(name, enter, name, kind)
me = syscall(434, os.getpid(), 0)
attempt("pidfd_net", syscall, SETNS, me, TYPES["net"])
attempt("pidfd_user", syscall, SETNS, me, TYPES["user"])
attempt("pidfd_all", syscall, SETNS, me, 0x7E020000)
attempt("init", lambda: syscall(SETNS, syscall(434, 1, 0), TYPES["mnt"]))
