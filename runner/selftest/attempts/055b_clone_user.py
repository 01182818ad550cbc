# attempt: 55 start a child in a user namespace of its own
# SPDX-License-Identifier: MIT
# group: privileges
# critical: yes
# expect: clone=EPERM clone_with_mounts=EPERM clone_of_all=EPERM
# without seccomp: clone=ENOSPC clone_with_mounts=ENOSPC clone_of_all=ENOSPC
# works: without seccomp,namespace_lock
import os
import signal

X86 = os.uname().machine == "x86_64"
NEWUSER, NEWNS = 0x10000000, 0x20000


def clone(flags):
    pid = syscall(56 if X86 else 220, flags | signal.SIGCHLD, None, None, None, None)
    if pid == 0:
        os._exit(0)
    os.waitpid(pid, 0)


attempt("clone", clone, NEWUSER)
attempt("clone_with_mounts", clone, NEWUSER | NEWNS)
attempt("clone_of_all", clone, 0x7E020000)
