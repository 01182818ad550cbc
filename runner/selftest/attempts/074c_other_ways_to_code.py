# attempt: 74 writable code by ways around mmap and mprotect
# SPDX-License-Identifier: MIT
# group: privileges
# expect: by_key=EPERM|EACCES shared_file=EPERM|EACCES zero_device=EPERM|EACCES
# expect: readable_means_executable=EPERM segment=EPERM|EACCES
# works: plain
import ctypes
import mmap
import os
import tempfile

X86 = os.uname().machine == "x86_64"
PAGE = mmap.PAGESIZE
RX = mmap.PROT_READ | mmap.PROT_EXEC


def by_key():
    """pkey_mprotect without a key is mprotect by another number."""
    page = mmap.mmap(-1, PAGE)
    address = ctypes.addressof(ctypes.c_char.from_buffer(page))
    syscall(329 if X86 else 288, address, PAGE, RX, -1)


def shared_file():
    """One file mapped twice: written here, executed there."""
    with tempfile.TemporaryFile() as file:
        file.truncate(PAGE)
        mmap.mmap(file.fileno(), PAGE, mmap.MAP_SHARED, RX)


def zero_device():
    with open("/dev/zero", "rb") as file:
        mmap.mmap(file.fileno(), PAGE, mmap.MAP_PRIVATE, RX)


def segment():
    number = syscall(29 if X86 else 194, 0, PAGE, 0o1700)
    try:
        syscall(30 if X86 else 196, number, None, 0o100000)  # SHM_EXEC
    finally:
        syscall(31 if X86 else 195, number, 0, None)


attempt("by_key", by_key)
attempt("shared_file", shared_file)
attempt("zero_device", zero_device)
attempt("readable_means_executable", syscall, 135 if X86 else 92, 0x0400000)
attempt("segment", segment)
