# attempt: 86 read and write the memory, and take the descriptors, of other processes
# SPDX-License-Identifier: MIT
# group: calls
# expect: read_sibling=EPERM write_sibling=EPERM compare_sibling=EPERM take_sibling=ENOSYS|EPERM
# expect: read_init=EPERM write_init=EPERM compare_init=EPERM take_init=ENOSYS|EPERM
# expect: advise=ENOSYS|EPERM release=EPERM|ENOSYS
# works: plain
import ctypes
import os
import signal

READV, WRITEV, KCMP = (310, 311, 312) if os.uname().machine == "x86_64" else (270, 271, 272)
SECRET = b"a sibling's byte"
theirs = ctypes.create_string_buffer(SECRET)
mine = ctypes.create_string_buffer(len(SECRET))
remote = (ctypes.c_size_t * 2)(ctypes.addressof(theirs), len(SECRET))
local = (ctypes.c_size_t * 2)(ctypes.addressof(mine), len(SECRET))

sibling = os.fork()
if sibling == 0:
    signal.alarm(10)
    signal.pause()
ctypes.memset(theirs, 0, len(SECRET))  # ours; the sibling's is as before


def read(pid):
    syscall(READV, pid, local, 1, remote, 1, 0)
    if pid != 1 and mine.raw != SECRET:
        raise OSError("other bytes")


attempt("read_sibling", read, sibling)
attempt("write_sibling", syscall, WRITEV, sibling, local, 1, remote, 1, 0)
attempt("compare_sibling", syscall, KCMP, os.getpid(), sibling, 1, 0, 0)
attempt("take_sibling", lambda: syscall(438, syscall(434, sibling, 0), 0, 0))
attempt("read_init", read, 1)
if 1 < os.getpid() < 1000:  # else the first process is the host's
    attempt("write_init", syscall, WRITEV, 1, local, 1, remote, 1, 0)
attempt("compare_init", syscall, KCMP, os.getpid(), 1, 1, 0, 0)
attempt("take_init", lambda: syscall(438, syscall(434, 1, 0), 0, 0))
attempt("advise", lambda: syscall(440, syscall(434, sibling, 0), remote, 1, 20, 0))
attempt("release", lambda: syscall(448, syscall(434, sibling, 0), 0))
os.kill(sibling, signal.SIGKILL)
