# attempt: 59 climb from a namespace to its owner or its parent
# SPDX-License-Identifier: MIT
# group: privileges
# critical: yes
# expect: owner_of_mounts=ENOTTY owner_of_net=ENOTTY parent_of_user=ENOTTY parent_of_pid=ENOTTY
# expect: init_mounts=ENOENT|EACCES|EPERM init_user=ENOENT|EACCES|EPERM
# without seccomp: owner_of_mounts=EPERM owner_of_net=EPERM parent_of_user=EPERM parent_of_pid=EPERM
# works: without seccomp,inner_user_namespace
import fcntl
import os

OWNER, PARENT = 0xB701, 0xB702  # NS_GET_USERNS, NS_GET_PARENT


def ask(name, request):
    fd = os.open("/proc/self/ns/" + name, os.O_RDONLY)
    try:
        return fcntl.ioctl(fd, request)
    finally:
        os.close(fd)


attempt("owner_of_mounts", ask, "mnt", OWNER)
attempt("owner_of_net", ask, "net", OWNER)
attempt("parent_of_user", ask, "user", PARENT)
attempt("parent_of_pid", ask, "pid", PARENT)
attempt("init_mounts", os.open, "/proc/1/ns/mnt", os.O_RDONLY)
attempt("init_user", os.open, "/proc/1/ns/user", os.O_RDONLY)
