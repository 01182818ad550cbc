# attempt: 74 make the heap and the stack executable
# SPDX-License-Identifier: MIT
# group: privileges
# expect: heap=EACCES|old_kernel stack=EACCES|old_kernel
# works: without write_xor_execute
import ctypes
import mmap
import os
import re

MPROTECT = 10 if os.uname().machine == "x86_64" else 226
PAGE = mmap.PAGESIZE
# The kernel can refuse it since 6.3; what works on an older one is no surprise.
OLD = tuple(map(int, re.findall(r"\d+", os.uname().release)[:2])) < (6, 3)


def executable(label, address):
    try:
        syscall(MPROTECT, address & -PAGE, PAGE, mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
        met(label, "old_kernel" if OLD else "worked")
    except OSError as error:
        met(label, "EACCES" if error.errno == 13 else str(error.errno))


kept = ctypes.create_string_buffer(3 * PAGE)
executable("heap", ctypes.addressof(kept) + PAGE)
with open("/proc/self/maps", encoding="ascii", errors="replace") as maps:
    end = next(line.split()[0].split("-")[1] for line in maps if "[stack]" in line)
executable("stack", int(end, 16) - PAGE)
