# attempt: 121 burn more CPU time than allowed in children whose times the kernel throws away
# SPDX-License-Identifier: MIT
# group: exhaustion
# expect: uncounted=begins
# outcome: cpu_limit
# limits: cpu=1s processes=16 timeout=15s
# works: plain
import os
import signal
import time

met("uncounted", "begins")
# Where SIGCHLD is ignored nobody waits, and no parent is told what the child used.
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
for _ in range(100):
    reader, writer = os.pipe()
    if os.fork() == 0:
        while time.process_time() < 0.04:
            pass
        os._exit(0)
    os.close(writer)
    os.read(reader, 1)  # returns when the child has gone
    os.close(reader)
met("uncounted", "worked")
