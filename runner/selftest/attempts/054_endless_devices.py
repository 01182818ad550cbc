# attempt: 54 read and write devices that never end
# SPDX-License-Identifier: MIT
# group: exhaustion
# expect: endless=begins full=ENOSPC|EACCES
# outcome: cpu_limit
# limits: cpu=1s timeout=20s
# works: plain
import os
import time

met("endless", "begins")
attempt("full", lambda: os.write(os.open("/dev/full", os.O_WRONLY), bytes(1 << 20)))
child = os.fork()
if child == 0:
    with open("/dev/urandom", "rb", buffering=0) as source:
        while time.process_time() < 4:
            source.read(1 << 20)
    os._exit(0)
os.waitpid(child, 0)
met("endless", "worked")
