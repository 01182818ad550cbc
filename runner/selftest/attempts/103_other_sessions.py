# attempt: 103 leave process group and session, so that a kill of the group misses
# SPDX-License-Identifier: MIT
# group: processes
# expect: own_session=allowed own_group=allowed main=ended
# limits: timeout=6s
# works: never the end of the first process ends all, whatever their groups
import os
import signal
import time

ready, told = os.pipe()


def linger(leave):
    """A grandchild that is in no group of ours, and sleeps."""
    if os.fork() == 0:
        leave()
        if os.fork() == 0:
            os.write(told, b"x")
            for number in signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP}:
                signal.signal(number, signal.SIG_IGN)
            time.sleep(12)
        os._exit(0)
    os.wait()
    os.read(ready, 1)


linger(os.setsid)
met("own_session", "allowed")
for _ in range(5):
    linger(lambda: os.setpgid(0, 0))
met("own_group", "allowed")
met("main", "ended")
os._exit(0)
