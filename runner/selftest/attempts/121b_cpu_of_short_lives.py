# attempt: 121 burn more CPU time than allowed in processes that end before anyone looks
# SPDX-License-Identifier: MIT
# group: exhaustion
# expect: short_lives=begins
# outcome: cpu_limit
# limits: cpu=1s processes=16 timeout=15s
# works: plain
import os
import time

met("short_lives", "begins")
spent = 0.0
while spent < 3:
    child = os.fork()
    if child == 0:
        if os.fork() == 0:  # a grandchild, which init reaps
            while time.process_time() < 0.01:
                pass
        os._exit(0)
    os.waitpid(child, 0)
    spent += 0.01
    time.sleep(0.01)
met("short_lives", "worked")
