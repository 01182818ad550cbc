# attempt: 74 call the kernel from machine code of one's own
# SPDX-License-Identifier: MIT
# group: privileges
# expect: user_namespace=EACCES|EPERM
# without write_xor_execute: user_namespace=EPERM
# without seccomp: user_namespace=EACCES|ENOSPC
# works: without write_xor_execute,seccomp,namespace_lock
import ctypes
import mmap
import os

# unshare(CLONE_NEWUSER), its result returned
CODE = (bytes.fromhex("bf00000010b8100100000f05c3") if os.uname().machine == "x86_64" else
        bytes.fromhex("0000a2d2280c80d2010000d4c0035fd6"))


def call():
    page = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
    page.write(CODE)
    address = ctypes.addressof(ctypes.c_char.from_buffer(page))
    result = ctypes.CFUNCTYPE(ctypes.c_long)(address)()
    if result < 0:
        raise OSError(-result, "unshare")


attempt("user_namespace", call)
