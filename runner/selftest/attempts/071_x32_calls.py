# attempt: 71 the numbers of another call table (x32)
# SPDX-License-Identifier: MIT
# group: privileges
# expect: getpid=SIGSYS|ENOSYS unshare=SIGSYS|ENOSYS ptrace=SIGSYS|ENOSYS highest=SIGSYS|ENOSYS
# without seccomp: unshare=ENOSYS|ENOSPC|EPERM ptrace=ENOSYS|EPERM getpid=ENOSYS|worked
# works: never most kernels are built without that table, and answer ENOSYS when not filtered
import os
import signal

X32 = 0x40000000


def in_child(label, number, *arguments):
    pid = os.fork()
    if pid == 0:
        attempt(label, syscall, number, *arguments)
        os._exit(0)
    status = os.waitpid(pid, 0)[1]
    if os.WIFSIGNALED(status):
        met(label, signal.Signals(os.WTERMSIG(status)).name)


in_child("getpid", X32 | 39)
in_child("unshare", X32 | 272, 0x10000000)
in_child("ptrace", X32 | 521, 0, 0, 0, 0)
in_child("highest", 0x7FFFFFFF)
