# attempt: 93 stop the whole process group, and whoever waits for it
# SPDX-License-Identifier: MIT
# group: processes
# expect: before=running
# outcome: timeout
# limits: timeout=2s
# works: never the deadline is kept outside
import os
import signal
import time

if os.fork() == 0:  # without a deadline outside, this one ends it all
    os.setsid()
    time.sleep(15)
    os.kill(os.getppid(), signal.SIGKILL)
    os._exit(0)
met("before", "running")
time.sleep(0.2)  # that child has left the group
if 1 < os.getpid() < 1000:  # else the group may hold others
    os.kill(0, signal.SIGSTOP)
