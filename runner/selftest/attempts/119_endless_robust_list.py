# attempt: 119 an endless list of robust futexes, so that the kernel is busy for ever at exit
# SPDX-License-Identifier: MIT
# group: exhaustion
# expect: exit=prompt init_list=EPERM
# limits: timeout=15s
# works: never every kernel stops after 2048 entries
import ctypes
import os
import time

SET, GET = {"x86_64": (273, 274), "aarch64": (99, 100)}[os.uname().machine]
# Two entries that point at each other and never back to the head.
ring = (ctypes.c_ulong * 8)()
first, second = ctypes.addressof(ring), ctypes.addressof(ring) + 32
ring[0], ring[4] = second, first
head = (ctypes.c_ulong * 3)(first, 0, 0)
start = time.monotonic()
for _ in range(20):
    child = os.fork()
    if child == 0:
        syscall(SET, ctypes.byref(head), 24)
        os._exit(0)
    os.waitpid(child, 0)
met("exit", "prompt" if time.monotonic() - start < 5 else "worked")


def list_of_init():
    where, length = ctypes.c_ulong(), ctypes.c_ulong()
    syscall(GET, 1, ctypes.byref(where), ctypes.byref(length))


attempt("init_list", list_of_init)
