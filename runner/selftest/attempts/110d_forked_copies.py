# attempt: 110 private memory in forked copies: each process stays below its limit of data
# SPDX-License-Identifier: MIT
# group: exhaustion
# expect: copies=begins
# outcome: memory_limit
# limits: memory=64M processes=16 timeout=10s
# works: plain
import os
import time

met("copies", "begins")
held = bytearray(24 << 20)
children = []
for _ in range(6):
    child = os.fork()
    if child == 0:
        for page in range(0, len(held), 4096):
            held[page] = 1
        time.sleep(2)
        os._exit(0)
    children.append(child)
for child in children:
    os.waitpid(child, 0)
met("copies", "worked")
