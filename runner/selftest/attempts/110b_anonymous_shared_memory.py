# attempt: 110 memory that is shared, so that the limit of private memory does not see it
# SPDX-License-Identifier: MIT
# group: exhaustion
# expect: shared=begins
# outcome: memory_limit
# limits: memory=64M timeout=10s
# works: plain
import mmap
import time

met("shared", "begins")
memory = mmap.mmap(-1, 160 << 20)
for start in range(0, len(memory), 1 << 20):
    memory[start:start + (1 << 20)] = b"x" * (1 << 20)
time.sleep(1)
met("shared", "worked")
