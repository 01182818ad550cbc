# attempt: 115 open more descriptors than allowed, of every kind
# SPDX-License-Identifier: MIT
# group: exhaustion
# expect: eventfd=EMFILE timerfd=EMFILE signalfd=EMFILE epoll=EMFILE pidfd=EMFILE file=EMFILE
# expect: memfd=ENOSYS inotify=ENOSYS
# without seccomp: memfd=EMFILE inotify=EMFILE
# limits: open_files=64
# works: plain
import ctypes
import os
import select

_libc.sigemptyset.argtypes = [ctypes.c_void_p]
no_signals = ctypes.create_string_buffer(128)


def libc(name, *arguments):
    descriptor = getattr(_libc, name)(*arguments)
    if descriptor < 0:
        raise OSError(ctypes.get_errno(), name)
    return descriptor


def many(make, *arguments):
    kept = []
    try:
        for _ in range(80):
            kept.append(make(*arguments))
    finally:
        for one in kept:
            one.close() if hasattr(one, "close") else os.close(one)


attempt("eventfd", many, libc, "eventfd", 0, 0)
attempt("timerfd", many, libc, "timerfd_create", 1, 0)
attempt("signalfd", many, libc, "signalfd", -1, no_signals, 0)
attempt("epoll", many, select.epoll)
attempt("pidfd", many, syscall, 434, os.getpid(), 0)
attempt("file", many, os.open, "/dev/null", os.O_RDONLY)
attempt("memfd", many, libc, "memfd_create", b"x", 0)
attempt("inotify", many, libc, "inotify_init1", 0)
