# attempt: 165 set the machine's clock
# SPDX-License-Identifier: MIT
# group: information
# expect: settime=EPERM settimeofday=EPERM adjtimex=EPERM adjust_clock=EPERM monotonic=EPERM|EINVAL
# expect: clock_device=ENOENT
# works: vm sets the machine's clock, to the time that it has
import ctypes
import os
import time

ADJ_OFFSET = 1


def libc(name, *arguments):
    if getattr(_libc, name)(*arguments) < 0:
        raise OSError(ctypes.get_errno(), name)


def settimeofday():
    now = time.time()
    libc("settimeofday", (ctypes.c_long * 2)(int(now), int(now % 1 * 1e6)), None)


attempt("settime", lambda: time.clock_settime(time.CLOCK_REALTIME, time.time()))
attempt("settimeofday", settimeofday)
no_change = (ctypes.c_long * 32)(ADJ_OFFSET)  # an offset of 0
attempt("adjtimex", libc, "adjtimex", no_change)
attempt("adjust_clock", libc, "clock_adjtime", 0, no_change)
attempt("monotonic", lambda: time.clock_settime(time.CLOCK_MONOTONIC, time.monotonic()))
attempt("clock_device", os.open, "/dev/rtc0", os.O_RDONLY)
