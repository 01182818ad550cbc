# attempt: 199 end or stop the first process, or its parent, by other means than signals
# SPDX-License-Identifier: MIT
# group: control
# expect: cpu_limit=EPERM memory=ENOENT|EACCES|EPERM|EROFS
# expect: oom_score=ENOENT|EACCES|EPERM|EROFS
# expect: trace=EPERM stop=EPERM|ignored parent=ESRCH|EPERM|ignored
# expect: priority=EPERM|EACCES init=alive
# works: never the kernel protects the first process of a pid namespace
import ctypes
import os
import signal

X86 = os.uname().machine == "x86_64"


def send(label, pid, number):
    try:
        os.kill(pid, number)
        met(label, "ignored")
    except OSError as error:
        met(label, {1: "EPERM", 3: "ESRCH"}.get(error.errno, "other"))


if 1 < os.getpid() < 1000:  # else this is no pid namespace of its own
    soon = (ctypes.c_uint64 * 2)(1, 1)  # RLIMIT_CPU of one second
    attempt("cpu_limit", syscall, 302 if X86 else 261, 1, 0, soon, None)
    attempt("memory", os.open, "/proc/1/mem", os.O_RDWR)
    attempt("oom_score", os.open, "/proc/1/oom_score_adj", os.O_WRONLY)
    attempt("trace", syscall, 101 if X86 else 117, 16, 1, None, None)
    attempt("priority", os.setpriority, os.PRIO_PROCESS, 1, 19)
    send("stop", 1, signal.SIGSTOP)
    send("parent", os.getppid(), signal.SIGKILL)
    met("init", "alive" if os.getppid() == 1 else "gone")
