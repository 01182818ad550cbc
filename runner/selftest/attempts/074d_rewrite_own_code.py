# attempt: 74 rewrite one's own code, which is not writable, by the file of one's memory
# SPDX-License-Identifier: MIT
# group: privileges
# expect: rewritten=EROFS|EACCES|EPERM by_task=EROFS|EACCES|EPERM
# works: plain
import ctypes
import os

X86 = os.uname().machine == "x86_64"
FORTY_TWO = (b"\xb8\x2a\x00\x00\x00\xc3" if X86 else b"\x40\x05\x80\x52\xc0\x03\x5f\xd6")
libc = ctypes.CDLL(None)


def rewrite(name):
    """Puts other code into a function of the C library; this process has it to itself."""
    fd = os.open(name, os.O_RDWR)
    os.pwrite(fd, FORTY_TWO, ctypes.cast(libc.labs, ctypes.c_void_p).value)
    os.close(fd)
    if libc.labs(1) != 42:
        raise OSError("the code is as before")


attempt("rewritten", rewrite, "/proc/self/mem")
attempt("by_task", rewrite, "/proc/thread-self/mem")
