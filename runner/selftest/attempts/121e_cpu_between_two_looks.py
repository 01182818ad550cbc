# attempt: 121 burn CPU time in lives of a few milliseconds, between two looks of whoever counts
# SPDX-License-Identifier: MIT
# group: exhaustion
# expect: between_looks=begins|residual
# outcome: exited|cpu_limit
# limits: cpu=1s processes=16 timeout=15s
# works: never without a cgroup such times can only be sampled; the wall-clock time bounds them
import os
import signal
import time

met("between_looks", "begins")
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
for _ in range(400):
    reader, writer = os.pipe()
    if os.fork() == 0:
        while time.process_time() < 0.004:
            pass
        os._exit(0)
    os.close(writer)
    os.read(reader, 1)
    os.close(reader)
met("between_looks", "residual")
