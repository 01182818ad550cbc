# attempt: 68 become dumpable or undumpable, or name a tracer
# SPDX-License-Identifier: MIT
# group: privileges
# expect: undumpable=EINVAL|EPERM dumpable=EINVAL|EPERM tracer=EINVAL|EPERM any_tracer=EINVAL|EPERM
# works: plain
import os

PRCTL = 157 if os.uname().machine == "x86_64" else 167
SET_DUMPABLE, GET_DUMPABLE, SET_PTRACER = 4, 3, 0x59616D61


def undumpable():
    syscall(PRCTL, SET_DUMPABLE, 0, 0, 0, 0)
    if syscall(PRCTL, GET_DUMPABLE, 0, 0, 0, 0) != 0:
        raise OSError("nothing changed")


attempt("undumpable", undumpable)
attempt("dumpable", syscall, PRCTL, SET_DUMPABLE, 2, 0, 0, 0)
attempt("tracer", syscall, PRCTL, SET_PTRACER, 1, 0, 0, 0)
attempt("any_tracer", syscall, PRCTL, SET_PTRACER, -1, 0, 0, 0)
