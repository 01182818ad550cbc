# attempt: 72 hide a call's number or argument in the upper half of a register
# SPDX-License-Identifier: MIT
# group: privileges
# expect: number=EPERM|ENOSYS clone_flags=EPERM inet=EAFNOSUPPORT inet_low=EAFNOSUPPORT
# expect: terminal=ENOTTY no_new_privs=EINVAL randomisation=EPERM other_limits=EPERM
# works: without seccomp,namespace_lock
import os
import signal
import termios

X86 = os.uname().machine == "x86_64"
HIGH = 1 << 32


def number(x86, arm):
    return x86 if X86 else arm


def clone():
    pid = syscall(number(56, 220), HIGH | 0x10000000 | signal.SIGCHLD, None, None, None, None)
    if pid == 0:
        os._exit(0)
    os.waitpid(pid, 0)


attempt("clone_flags", clone)
attempt("number", syscall, HIGH | number(272, 97), 0x10000000)
attempt("inet", syscall, number(41, 198), HIGH | 2, 1, 0)
attempt("inet_low", syscall, number(41, 198), (0x7FFFFFFF << 32) | 2, 1, 0)
attempt("terminal", syscall, number(16, 29), 0, HIGH | termios.TIOCSTI, b"x")
attempt("no_new_privs", syscall, number(157, 167), HIGH | 38, 0, 0, 0, 0)
attempt("randomisation", syscall, number(135, 92), HIGH | 0x0040000)
attempt("other_limits", syscall, number(302, 261), HIGH | 1, 7, None, None)
