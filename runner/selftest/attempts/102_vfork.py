# attempt: 102 children that share the memory until they execute (vfork)
# SPDX-License-Identifier: MIT
# group: processes
# expect: spawned=EAGAIN number=within
# limits: processes=32
# works: plain
import os
import shutil
import signal

SLEEP = shutil.which("sleep")
children = []


def flood():
    while len(children) < 200:
        children.append(os.posix_spawn(SLEEP, ["sleep", "10"], {}))


try:
    attempt("spawned", flood)
    met("number", "within" if len(children) <= 32 else "worked")
finally:
    for pid in children:
        os.kill(pid, signal.SIGKILL)
