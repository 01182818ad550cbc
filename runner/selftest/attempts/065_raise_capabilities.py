# attempt: 65 get a capability back, or hand one to a child
# SPDX-License-Identifier: MIT
# group: privileges
# expect: capset=EPERM ambient=EINVAL|EPERM inheritable=EPERM left=none bounding=none
# works: plain
import ctypes
import os

CAPSET = 126 if os.uname().machine == "x86_64" else 91
PRCTL = 157 if os.uname().machine == "x86_64" else 167
SYS_ADMIN, NET_RAW = 21, 13
header = (ctypes.c_uint32 * 2)(0x20080522, 0)  # version 3, ourselves


def capset(effective, permitted, inheritable):
    data = (ctypes.c_uint32 * 6)(1 << effective, 1 << permitted, 1 << inheritable)
    syscall(CAPSET, header, data)


def mask(name):
    with open("/proc/self/status", encoding="ascii") as status:
        return next(int(line.split()[1], 16) for line in status if line.startswith(name))


def left():
    held = mask("CapEff") | mask("CapPrm") | mask("CapInh") | mask("CapAmb")
    return "none" if held == 0 else hex(held)


def raise_and_look():
    capset(SYS_ADMIN, SYS_ADMIN, SYS_ADMIN)
    if not mask("CapEff") >> SYS_ADMIN & 1:
        raise OSError("nothing was raised")


attempt("capset", raise_and_look)
attempt("inheritable", capset, NET_RAW, NET_RAW, NET_RAW)
attempt("ambient", syscall, PRCTL, 47, 2, NET_RAW, 0, 0)  # PR_CAP_AMBIENT_RAISE
met("left", left())
met("bounding", "none" if mask("CapBnd") == 0 else hex(mask("CapBnd")))
