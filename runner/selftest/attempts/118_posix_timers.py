# attempt: 118 make kernel timers without end
# SPDX-License-Identifier: MIT
# group: exhaustion
# expect: timers=EAGAIN silent_timers=EAGAIN interval_timers=allowed
# works: plain
import ctypes
import os
import signal

TIMER_CREATE = {"x86_64": 222, "aarch64": 107}[os.uname().machine]
TIMER_DELETE = {"x86_64": 226, "aarch64": 111}[os.uname().machine]
SIGEV_SIGNAL, SIGEV_NONE = 0, 1


def many(how):
    """300 timers; each holds one of the 256 signals that may be pending."""
    event = (ctypes.c_int * 16)()
    event[2], event[3] = signal.SIGUSR1, how
    made = []
    try:
        for _ in range(300):
            timer = ctypes.c_int()
            syscall(TIMER_CREATE, 1, ctypes.byref(event), ctypes.byref(timer))
            made.append(timer.value)
    finally:
        for timer in made:
            syscall(TIMER_DELETE, timer)


attempt("timers", many, SIGEV_SIGNAL)
attempt("silent_timers", many, SIGEV_NONE)
for which in (signal.ITIMER_REAL, signal.ITIMER_VIRTUAL, signal.ITIMER_PROF):
    signal.setitimer(which, 1000)  # one of each kind, however often it is set
met("interval_timers", "allowed")
