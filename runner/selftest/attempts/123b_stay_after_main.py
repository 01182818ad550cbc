# attempt: 123 stay after the main process, in a session of its own, with all signals ignored
# SPDX-License-Identifier: MIT
# group: exhaustion
# expect: late=begins
# outcome: exited
# limits: timeout=5s
# works: plain
import os
import signal
import sys
import time

met("late", "begins")
sys.stdout.flush()
if os.fork() == 0:
    os.setsid()
    for number in range(1, 32):
        if number not in (signal.SIGKILL, signal.SIGSTOP):
            signal.signal(number, signal.SIG_IGN)
    time.sleep(2)
    met("late", "worked")  # must not come any more: the run ended with its main process
    os._exit(0)
if os.getpid() == 1:
    os.wait()  # without an init of its own the namespace would end here
