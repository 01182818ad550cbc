# attempt: 73 the kernel's fixed page of calls
# SPDX-License-Identifier: MIT
# group: privileges
# expect: time_of_day=emulated|SIGSEGV|SIGSYS time=emulated|SIGSEGV|SIGSYS inside=SIGSEGV
# expect: beside=SIGSEGV
# works: never the kernel answers these with the time alone, or with a signal
import ctypes
import os
import signal

PAGE = 0xFFFFFFFFFF600000


def jump(label, address):
    pid = os.fork()
    if pid == 0:
        ctypes.CFUNCTYPE(ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p)(address)(None, None)
        met(label, "emulated")
        os._exit(0)
    status = os.waitpid(pid, 0)[1]
    if os.WIFSIGNALED(status):
        met(label, signal.Signals(os.WTERMSIG(status)).name)


jump("time_of_day", PAGE)
jump("time", PAGE + 0x400)
jump("inside", PAGE + 0x13)
jump("beside", PAGE + 0x1000)
