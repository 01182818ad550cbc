# attempt: 112 keep kernel memory in page tables: read a few bytes of a huge empty mapping
# SPDX-License-Identifier: MIT
# group: exhaustion
# expect: page_tables=begins
# outcome: memory_limit
# limits: memory=64M timeout=15s
# works: plain
import mmap
import time

met("page_tables", "begins")
# One byte read for each table: 160 MB of tables, and not one page of data.
reach = mmap.PAGESIZE * mmap.PAGESIZE // 8
length = (160 << 20) // mmap.PAGESIZE * reach
flags = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | 0x4000  # MAP_NORESERVE
memory = mmap.mmap(-1, length, flags=flags, prot=mmap.PROT_READ)
for start in range(0, length, reach):
    memory[start]
time.sleep(1)
met("page_tables", "worked")
