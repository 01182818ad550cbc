# attempt: 40 join a namespace through /proc
# SPDX-License-Identifier: MIT
# group: privileges
# expect: own_uts=EPERM mnt=EPERM user=EPERM net=EPERM by_pidfd=EPERM mapped_file=EPERM
# without seccomp: user=EINVAL
# works: plain
import os

SETNS = {"x86_64": 308, "aarch64": 268}[os.uname().machine]
PIDFD_OPEN = 434


def join(kind):
    namespace = os.open("/proc/self/ns/" + kind, os.O_RDONLY)
    syscall(SETNS, namespace, 0)


def join_by_pidfd():
    """All of init's namespaces at once."""
    syscall(SETNS, syscall(PIDFD_OPEN, 1, 0), 0x00020000 | 0x40000000)


def open_mapped():
    name = os.listdir("/proc/self/map_files")[0]
    os.open("/proc/self/map_files/" + name, os.O_RDONLY)


attempt("own_uts", join, "uts")
attempt("mnt", join, "mnt")
attempt("user", join, "user")
attempt("net", join, "net")
attempt("by_pidfd", join_by_pidfd)
attempt("mapped_file", open_mapped)
