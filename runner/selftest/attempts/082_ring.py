# attempt: 82 have calls made by a ring (io_uring), past the filter
# SPDX-License-Identifier: MIT
# group: calls
# critical: yes
# expect: kernel_file=ENOSYS setup=ENOSYS enter=ENOSYS register=ENOSYS
# without seccomp: kernel_file=ENOENT|EPERM|ENOSYS setup=allowed|EPERM|ENOSYS enter=EBADF|EPERM|ENOSYS|EOPNOTSUPP|ENOTSUP register=EBADF|EPERM|ENOSYS|EOPNOTSUPP|ENOTSUP
# works: plain
import ctypes
import mmap
import os
import struct

SETUP, ENTER, REGISTER = 425, 426, 427
OPENAT = 18


def open_by_ring(path):
    """Opens a file without the call for it; /proc of a run has no such file."""
    setup = ctypes.create_string_buffer(120)
    ring = syscall(SETUP, 4, setup)
    tail, = struct.unpack_from("=I", setup, 44)  # where these are in the rings
    array, = struct.unpack_from("=I", setup, 64)
    answers, = struct.unpack_from("=I", setup, 100)
    rings = mmap.mmap(ring, 4096, offset=0)
    sqes = mmap.mmap(ring, 4096, offset=0x10000000)
    name = ctypes.create_string_buffer(path)
    sqes[0:32] = struct.pack("=BBHiQQII", OPENAT, 0, 0, -100, 0,
                              ctypes.addressof(name), 0, os.O_RDONLY)
    struct.pack_into("=I", rings, array, 0)
    struct.pack_into("=I", rings, tail, 1)
    syscall(ENTER, ring, 1, 1, 1, None, 0)
    result, = struct.unpack_from("=i", rings, answers + 8)
    if result < 0:
        raise OSError(-result, "openat")
    return os.read(result, 16)


attempt("kernel_file", open_by_ring, b"/proc/version")
try:
    syscall(SETUP, 4, ctypes.create_string_buffer(120))
    met("setup", "allowed")
except OSError as error:
    met("setup", {1: "EPERM", 38: "ENOSYS"}.get(error.errno, "other"))
attempt("enter", syscall, ENTER, 999, 1, 0, 0, None, 0)
attempt("register", syscall, REGISTER, 999, 0, None, 0)
