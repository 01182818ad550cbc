# attempt: 51 make a terminal
# SPDX-License-Identifier: MIT
# group: devices
# expect: openpty=ENOENT ptmx=ENOENT devpts=EPERM
# works: plain
import os
import tempfile

MOUNT, UMOUNT = {"x86_64": (165, 166), "aarch64": (40, 39)}[os.uname().machine]


def mount():
    """On a directory of its own, and gone again at once."""
    place = tempfile.mkdtemp().encode()
    try:
        syscall(MOUNT, b"devpts", place, b"devpts", 0, b"newinstance")
        syscall(UMOUNT, place, 2)
    finally:
        os.rmdir(place)


attempt("openpty", os.openpty)
attempt("ptmx", os.open, "/dev/ptmx", os.O_RDWR | os.O_NOCTTY)
attempt("devpts", mount)
