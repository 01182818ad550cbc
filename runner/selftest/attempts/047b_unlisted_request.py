# attempt: 47 send a device request that the filter does not list, also with its upper bits set
# SPDX-License-Identifier: MIT
# group: devices
# expect: block_size=ENOTTY upper_bits=ENOTTY file_flags=ENOTTY
# without seccomp: block_size=worked upper_bits=worked file_flags=worked|ENOTTY
# works: without seccomp
import os

NUMBER = {"x86_64": 16, "aarch64": 29}[os.uname().machine]
FIGETBSZ = 2
FS_IOC_GETFLAGS = 0x80086601
answer = _ctypes.c_long()
file = os.open("own", os.O_RDWR | os.O_CREAT, 0o600)

# These two are harmless; they stand for all requests, and every regular file answers the first.
attempt("block_size", syscall, NUMBER, file, FIGETBSZ, _ctypes.byref(answer))
# The kernel reads 32 bits of the request: what stands above them must not deceive the filter.
TCGETS = 0x5401
attempt("upper_bits", syscall, NUMBER, file, (TCGETS << 32) | FIGETBSZ, _ctypes.byref(answer))
attempt("file_flags", syscall, NUMBER, file, FS_IOC_GETFLAGS, _ctypes.byref(answer))
