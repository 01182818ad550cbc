# attempt: 165 wake the machine from its sleep by alarm clocks
# SPDX-License-Identifier: MIT
# group: information
# expect: alarm_descriptor=EPERM boot_alarm_descriptor=EPERM alarm_timer=EPERM|EOPNOTSUPP|ENOTSUP
# expect: wake_lock=ENOENT
# works: never only the machine's root may, and only a machine that sleeps would show it
import ctypes
import os

REALTIME_ALARM, BOOTTIME_ALARM = 8, 9
TIMER_CREATE = {"x86_64": 222, "aarch64": 107}[os.uname().machine]


def descriptor(clock):
    if _libc.timerfd_create(clock, 0) < 0:
        raise OSError(ctypes.get_errno(), "timerfd_create")


attempt("alarm_descriptor", descriptor, REALTIME_ALARM)
attempt("boot_alarm_descriptor", descriptor, BOOTTIME_ALARM)
attempt("alarm_timer", syscall, TIMER_CREATE, BOOTTIME_ALARM, None, ctypes.byref(ctypes.c_int()))
attempt("wake_lock", os.open, "/sys/power/wake_lock", os.O_WRONLY)
