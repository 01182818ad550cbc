# attempt: 66 take another user's or group's id
# SPDX-License-Identifier: MIT
# group: privileges
# expect: setuid=EPERM setreuid=EPERM setresuid=EPERM seteuid=EPERM setgid=EPERM setresgid=EPERM
# expect: setgroups=EPERM setfsuid=EPERM setfsgid=EPERM
# without seccomp: setuid=EPERM|EINVAL setreuid=EPERM|EINVAL setresuid=EPERM|EINVAL seteuid=EPERM|EINVAL setgid=EPERM|EINVAL setresgid=EPERM|EINVAL setgroups=EPERM setfsuid=unchanged setfsgid=unchanged
# works: plain
import os

X86 = os.uname().machine == "x86_64"


def file_id(number):
    """These two calls never fail: they tell what was set before."""
    syscall(number, 0)
    return syscall(number, -1)


def become_root():
    os.setuid(0)
    if os.getuid() != 0:
        raise OSError("still the same")


attempt("setuid", become_root)
attempt("setreuid", os.setreuid, 0, 0)
attempt("setresuid", os.setresuid, 0, 0, 0)
attempt("seteuid", os.seteuid, 0)
attempt("setgid", os.setgid, 0)
attempt("setresgid", os.setresgid, 0, 0, 0)
attempt("setgroups", os.setgroups, [0])
for label, number in {"setfsuid": 122 if X86 else 151, "setfsgid": 123 if X86 else 152}.items():
    try:
        met(label, "worked" if file_id(number) == 0 else "unchanged")
    except OSError as error:
        met(label, "EPERM" if error.errno == 1 else str(error))
