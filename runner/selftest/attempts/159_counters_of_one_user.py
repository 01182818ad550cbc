# attempt: 159 use up what the kernel counts for one user, so that other sandboxes get none
# SPDX-License-Identifier: MIT
# group: ipc
# expect: signals=EAGAIN pipe_after_all=allowed own_signals_after=allowed keys=EPERM watches=ENOSYS
# without seccomp: keys=allowed|EDQUOT|EPERM watches=EMFILE
# limits: open_files=256 timeout=15s
# works: plain
import ctypes
import fcntl
import os
import signal

QUEUE, ADD_KEY = {"x86_64": (129, 248), "aarch64": (138, 217)}[os.uname().machine]
signal.pthread_sigmask(signal.SIG_BLOCK, [40])


def signals():
    """300 signals that wait; 256 may."""
    info = (ctypes.c_int * 32)(40, 0, -1)
    for _ in range(300):
        syscall(QUEUE, os.getpid(), 40, info)


def told(label, action):
    try:
        action()
        met(label, "allowed")
    except OSError as error:
        met(label, _errno.errorcode[error.errno])


def pipe_after_all():
    """Fills the user's 64 MiB of pipes; a further pipe is small but works."""
    kept = []
    for _ in range(80):
        kept.append(os.pipe())
        try:
            fcntl.fcntl(kept[-1][1], 1031, 1 << 20)
        except OSError:
            break
    reader, writer = os.pipe()
    os.write(writer, b"x")
    os.read(reader, 1)


def watches():
    for _ in range(300):
        if _libc.inotify_init1(0) < 0:
            raise OSError(ctypes.get_errno(), "inotify_init1")


attempt("signals", signals)
told("own_signals_after", lambda: os.kill(os.getpid(), signal.SIGCONT))
told("pipe_after_all", pipe_after_all)
told("keys", lambda: syscall(ADD_KEY, b"user", b"selftest", b"x", 1, -2))
told("watches", watches)
