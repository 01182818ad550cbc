# attempt: 74 memory that is written and then executed
# SPDX-License-Identifier: MIT
# group: privileges
# expect: both_at_once=EACCES|old_kernel written_then_executable=EACCES|old_kernel
# expect: shared=EACCES|old_kernel both_later=EACCES|old_kernel
# works: without write_xor_execute
import ctypes
import mmap
import os
import re

READ, WRITE, EXEC = mmap.PROT_READ, mmap.PROT_WRITE, mmap.PROT_EXEC
X86 = os.uname().machine == "x86_64"
FORTY_TWO = (b"\xb8\x2a\x00\x00\x00\xc3" if X86 else b"\x40\x05\x80\x52\xc0\x03\x5f\xd6")
# The kernel can refuse it since 6.3; what works on an older one is no surprise.
OLD = tuple(map(int, re.findall(r"\d+", os.uname().release)[:2])) < (6, 3)


def run(before, after, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS):
    page = mmap.mmap(-1, 4096, flags=flags, prot=before)
    page.write(FORTY_TWO)
    address = ctypes.addressof(ctypes.c_char.from_buffer(page))
    if after != before:
        syscall(10 if X86 else 226, address, 4096, after)
    return ctypes.CFUNCTYPE(ctypes.c_int)(address)()


def try_code(label, *arguments):
    try:
        ran = run(*arguments) == 42
        met(label, "old_kernel" if OLD else "worked" if ran else "wrong")
    except OSError as error:
        met(label, "EACCES" if error.errno == 13 else str(error))


try_code("both_at_once", READ | WRITE | EXEC, READ | WRITE | EXEC)
try_code("written_then_executable", READ | WRITE, READ | EXEC)
try_code("both_later", READ | WRITE, READ | WRITE | EXEC)
try_code("shared", READ | WRITE, READ | EXEC, mmap.MAP_SHARED | mmap.MAP_ANONYMOUS)
