# attempt: 42 mount /proc a second time
# SPDX-License-Identifier: MIT
# group: privileges
# expect: bound=EPERM mounted=EPERM new_call=EPERM tree=EPERM remounted=EPERM uncovered=EPERM
# works: plain
import os
import tempfile

MOUNT, UMOUNT = {"x86_64": (165, 166), "aarch64": (40, 39)}[os.uname().machine]
OPEN_TREE, FSOPEN = 428, 430
MS_REMOUNT, MS_BIND, MS_REC, AS_IT_IS = 32, 4096, 16384, 2 | 4 | 8
MNT_DETACH, MNT_EXPIRE = 2, 4


def mount(source, kind, flags):
    """On a directory of its own, and gone again at once."""
    place = tempfile.mkdtemp().encode()
    try:
        syscall(MOUNT, source, place, kind, flags, None)
        syscall(UMOUNT, place, MNT_DETACH)
    finally:
        os.rmdir(place)


attempt("bound", mount, b"/proc", None, MS_BIND | MS_REC)
attempt("mounted", mount, b"proc", b"proc", 0)
attempt("new_call", syscall, FSOPEN, b"proc", 0)
attempt("tree", syscall, OPEN_TREE, -100, b"/proc", 1)
# Read-only taken off, and nothing else: on a machine's own /proc this changes nothing.
attempt("remounted", syscall, MOUNT, None, b"/proc", None, MS_REMOUNT | MS_BIND | AS_IT_IS, None)
# The run's own /proc lies on top of the sandbox's. This marks it only; a second call would
# take it off.
attempt("uncovered", syscall, UMOUNT, b"/proc", MNT_EXPIRE)
