# attempt: 95 trace a child, oneself or the first process
# SPDX-License-Identifier: MIT
# group: processes
# expect: seize=EPERM attach=EPERM trace_me=EPERM init=EPERM
# works: plain
import os
import signal

PTRACE = 101 if os.uname().machine == "x86_64" else 117
TRACE_ME, ATTACH, SEIZE = 0, 16, 0x4206


def on_child(request):
    child = os.fork()
    if child == 0:
        signal.alarm(10)
        while True:
            signal.pause()
    try:
        syscall(PTRACE, request, child, None, None)
    finally:
        os.kill(child, signal.SIGKILL)


attempt("seize", on_child, SEIZE)
attempt("attach", on_child, ATTACH)
if 1 < os.getpid() < 1000:
    attempt("init", syscall, PTRACE, SEIZE, 1, None, None)
if os.fork() == 0:
    attempt("trace_me", syscall, PTRACE, TRACE_ME, 0, None, None)
    os._exit(0)
os.wait()
