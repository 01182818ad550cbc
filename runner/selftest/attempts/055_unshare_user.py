# attempt: 55 make a user namespace, which would give all capabilities
# SPDX-License-Identifier: MIT
# group: privileges
# critical: yes
# expect: unshare=EPERM library=EPERM in_child=EPERM
# without seccomp: unshare=ENOSPC library=ENOSPC in_child=ENOSPC
# works: without seccomp,namespace_lock
import ctypes
import os

X86 = os.uname().machine == "x86_64"
NEWUSER = 0x10000000


def by_library():
    if ctypes.CDLL(None, use_errno=True).unshare(NEWUSER) < 0:
        raise OSError(ctypes.get_errno(), "unshare")


def in_child(label, action, *arguments):
    """Each from a process that has got nothing yet."""
    pid = os.fork()
    if pid == 0:
        attempt(label, action, *arguments)
        os._exit(0)
    os.waitpid(pid, 0)


in_child("in_child", syscall, 272 if X86 else 97, NEWUSER)
in_child("library", by_library)
attempt("unshare", syscall, 272 if X86 else 97, NEWUSER)
