# attempt: 100 fork without end
# SPDX-License-Identifier: MIT
# group: processes
# expect: forks=EAGAIN number=within
# limits: processes=32
# works: plain
import os
import signal

children = []


def flood():
    """300 are as good as no limit."""
    while len(children) < 300:
        pid = os.fork()
        if pid == 0:
            signal.alarm(10)
            signal.pause()
            os._exit(0)
        children.append(pid)


try:
    attempt("forks", flood)
    met("number", "within" if len(children) <= 32 else "worked")
finally:
    for pid in children:
        os.kill(pid, signal.SIGKILL)
