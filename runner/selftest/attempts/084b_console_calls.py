# attempt: 84 read the kernel's log, hang up terminals, change segment tables
# SPDX-License-Identifier: MIT
# group: calls
# expect: segments=EPERM|ENOSYS log_size=EPERM log=EPERM hang_up=EPERM
# works: plain
import ctypes
import os

X86 = os.uname().machine == "x86_64"
SEGMENTS = 154 if X86 else 9999


def read_segments():
    """Fills a buffer; there is none on other machines."""
    return syscall(SEGMENTS, 0, ctypes.create_string_buffer(8192), 8192)


attempt("segments", read_segments)
attempt("log_size", syscall, 103 if X86 else 116, 10, None, 0)
attempt("log", syscall, 103 if X86 else 116, 3, ctypes.create_string_buffer(4096), 4096)
if os.getuid() != 0:  # as root it would end somebody's session
    attempt("hang_up", syscall, 153 if X86 else 58)
