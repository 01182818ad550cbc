# attempt: 88 remap pages of a file, and move memory between the nodes of the machine
# SPDX-License-Identifier: MIT
# group: calls
# expect: remap=EPERM bind=NoEffect move_pages=EPERM migrate=EPERM policy=EPERM home_node=ENOSYS|EPERM
# works: plain
import ctypes
import mmap
import os

X86 = os.uname().machine == "x86_64"
PAGE = mmap.PAGESIZE
memory = mmap.mmap(-1, 2 * PAGE)
memory[0:1], memory[PAGE:PAGE + 1] = b"1", b"2"
address = ctypes.addressof(ctypes.c_char.from_buffer(memory))
nodes = (ctypes.c_ulong * 1)(1)


def remap():
    syscall(216 if X86 else 234, address, PAGE, 0, 1, 0)
    if memory[0:1] != b"2":
        raise OSError("it is as before")


class NoEffect(OSError):
    """Success was answered, and nothing was done."""


def bind():
    syscall(237 if X86 else 235, address, PAGE, 2, nodes, 64, 0)
    try:
        syscall(237 if X86 else 235, address, PAGE, 77, nodes, 64, 0)  # there is no such policy
    except OSError:
        return  # so the kernel looked at it
    raise NoEffect


attempt("remap", remap)
attempt("bind", bind)
attempt("move_pages", syscall, 279 if X86 else 239, 0, 1, (ctypes.c_size_t * 1)(address), None,
        (ctypes.c_int * 1)(), 0)
attempt("migrate", syscall, 256 if X86 else 238, 0, 64, nodes, nodes)
attempt("policy", syscall, 238 if X86 else 237, 0, None, 0)
attempt("home_node", syscall, 450, address, PAGE, 0, 0)
