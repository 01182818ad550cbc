# attempt: 110 shared memory that is dropped from the page tables, so that no process is charged
# SPDX-License-Identifier: MIT
# group: exhaustion
# expect: out_of_sight=begins
# outcome: memory_limit
# limits: memory=64M timeout=10s
# works: plain
import mmap
import time

met("out_of_sight", "begins")
memory = mmap.mmap(-1, 160 << 20)
step = 1 << 20
for start in range(0, len(memory), step):
    memory[start:start + step] = b"x" * step
    memory.madvise(mmap.MADV_DONTNEED, start, step)
time.sleep(1)
if all(memory[start] == ord("x") for start in range(0, len(memory), step)):
    met("out_of_sight", "worked")
