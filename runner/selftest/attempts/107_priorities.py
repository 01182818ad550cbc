# attempt: 107 run before all others, or on processors that are not one's own
# SPDX-License-Identifier: MIT
# group: processes
# expect: batch=EPERM fifo=EPERM round_robin=EPERM deadline=EPERM nice=EPERM nicer=EPERM
# expect: io_real_time=EPERM processors=masked no_such_processor=EINVAL
# works: plain
import ctypes
import os
import struct

X86 = os.uname().machine == "x86_64"


def policy(which, priority):
    os.sched_setscheduler(0, which, os.sched_param(priority))


deadline = struct.pack("=IIQiIQQQ", 48, 6, 0, 0, 0, 10 ** 7, 2 * 10 ** 7, 2 * 10 ** 7)
attempt("fifo", policy, os.SCHED_FIFO, 99)
attempt("round_robin", policy, os.SCHED_RR, 1)
attempt("batch", policy, os.SCHED_BATCH, 0)
attempt("deadline", syscall, 314 if X86 else 274, 0, ctypes.create_string_buffer(deadline), 0)
attempt("nice", os.setpriority, os.PRIO_PROCESS, 0, -20)
attempt("nicer", os.setpriority, os.PRIO_PROCESS, 0, 10)
attempt("io_real_time", syscall, 251 if X86 else 30, 1, 0, 1 << 13)
before = os.sched_getaffinity(0)
os.sched_setaffinity(0, range(1024))
met("processors", "masked" if os.sched_getaffinity(0) <= before else "worked")
attempt("no_such_processor", os.sched_setaffinity, 0, {1023})
