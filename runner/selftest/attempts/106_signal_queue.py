# attempt: 106 queue signals without end, to oneself and to the first process
# SPDX-License-Identifier: MIT
# group: processes
# expect: self=EAGAIN number=within init=EPERM|EAGAIN|ignored forged=EPERM after=alive
# works: plain
import ctypes
import os
import signal
import struct

X86 = os.uname().machine == "x86_64"
libc = ctypes.CDLL(None, use_errno=True)
number = 0


def queue(pid, times):
    global number
    for number in range(times):
        if libc.sigqueue(pid, signal.SIGRTMIN + 1, None) != 0:
            raise OSError(ctypes.get_errno(), "sigqueue")


def forged(pid):
    """As if the kernel itself had sent it."""
    info = struct.pack("=iiiiii", signal.SIGRTMIN + 1, 0, 0x80, 0, 1, 0).ljust(128, b"\0")
    syscall(129 if X86 else 138, pid, signal.SIGRTMIN + 1, ctypes.create_string_buffer(info))


signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGRTMIN + 1})
attempt("self", queue, os.getpid(), 1500)
met("number", "within" if number <= 1024 else "worked")
if 1 < os.getpid() < 1000:
    try:
        queue(1, 1500)
        met("init", "ignored")
    except OSError as error:
        met("init", {1: "EPERM", 11: "EAGAIN"}.get(error.errno, "other"))
    attempt("forged", forged, 1)
met("after", "alive")
