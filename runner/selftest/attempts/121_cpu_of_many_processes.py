# attempt: 121 burn more CPU time than allowed, spread over processes that each use little
# SPDX-License-Identifier: MIT
# group: exhaustion
# expect: together=begins
# outcome: cpu_limit
# limits: cpu=1s processes=16 timeout=15s
# works: plain
import os
import time

met("together", "begins")
children = []
for _ in range(8):
    child = os.fork()
    if child == 0:
        while time.process_time() < 0.5:
            pass
        os._exit(0)
    children.append(child)
for child in children:
    os.waitpid(child, 0)
met("together", "worked")
