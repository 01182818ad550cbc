# attempt: 62 take mounts away, to see what lies beneath
# SPDX-License-Identifier: MIT
# group: privileges
# critical: yes
# expect: own=EPERM proc=EPERM work=EPERM tmp=EPERM null=EPERM root=EPERM
# works: plain
import os
import tempfile

X86 = os.uname().machine == "x86_64"
MOUNT, UMOUNT2 = (165, 166) if X86 else (40, 39)
DETACH = 2

place = tempfile.mkdtemp().encode()
try:
    syscall(MOUNT, b"none", place, b"tmpfs", 0, None)  # the control takes this one away again
except OSError:
    pass
attempt("own", syscall, UMOUNT2, place, DETACH)
if os.getuid() != 0:  # never as root: these are not ours
    attempt("proc", syscall, UMOUNT2, b"/proc", DETACH)
    attempt("work", syscall, UMOUNT2, os.getcwd().encode(), DETACH)
    attempt("tmp", syscall, UMOUNT2, b"/tmp", DETACH)
    attempt("null", syscall, UMOUNT2, b"/dev/null", DETACH)
    attempt("root", syscall, UMOUNT2, b"/", DETACH)
