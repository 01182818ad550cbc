# attempt: 102 children that hold the memory of their parent for good (CLONE_VM), and bare threads
# SPDX-License-Identifier: MIT
# group: processes
# expect: clones=EAGAIN number=within threads=EAGAIN
# limits: processes=32
# works: plain
import ctypes
import os
import signal

libc = ctypes.CDLL(None, use_errno=True)
CLONE_VM, FS, FILES, SIGHAND, THREAD = 0x100, 0x200, 0x400, 0x800, 0x10000
STACK = 16384
stacks = ctypes.create_string_buffer(400 * STACK)
start = ctypes.addressof(stacks) + STACK & ~63
sleep = ctypes.cast(libc.sleep, ctypes.c_void_p)  # the child is in the C library alone
children = []
number = 0


def clone(flags):
    global number
    number += 1
    top = ctypes.c_void_p(start + number * STACK)
    pid = libc.clone(sleep, top, flags, ctypes.c_void_p(8))
    if pid < 0:
        raise OSError(ctypes.get_errno(), "clone")
    return pid


def flood():
    while len(children) < 150:
        children.append(clone(CLONE_VM | signal.SIGCHLD))


def threads():
    for _ in range(150):
        clone(CLONE_VM | FS | FILES | SIGHAND | THREAD)


attempt("clones", flood)
met("number", "within" if len(children) <= 32 else "worked")
for pid in children:
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
attempt("threads", threads)
os._exit(0)
