# attempt: 31 write to memory through /proc
# SPDX-License-Identifier: MIT
# group: proc
# critical: yes
# expect: own_text=EROFS init_memory=EPERM|ENOENT|EACCES init_memory_read=EPERM|ENOENT|EACCES parent_memory=EPERM|ENOENT|EACCES
# works: plain
import os


def write_text():
    """The kernel lets a process write its own code here, whatever the page's protection."""
    address = _ctypes.cast(_libc.getpid, _ctypes.c_void_p).value
    with open("/proc/self/mem", "r+b", buffering=0) as memory:
        memory.seek(address)
        byte = memory.read(1)
        memory.seek(address)
        memory.write(byte)


attempt("own_text", write_text)
attempt("init_memory", os.open, "/proc/1/mem", os.O_RDWR)
attempt("init_memory_read", os.open, "/proc/1/mem", os.O_RDONLY)
attempt("parent_memory", os.open, f"/proc/{os.getppid()}/mem", os.O_RDONLY)
