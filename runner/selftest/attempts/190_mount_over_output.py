# attempt: 190 mount something over the directory that the host reads
# SPDX-License-Identifier: MIT
# group: read_out
# expect: tmpfs=EPERM bind=EPERM move=EPERM tree=EPERM overlay=EPERM
# works: plain
import os
import tempfile

MOUNT, UMOUNT = {"x86_64": (165, 166), "aarch64": (40, 39)}[os.uname().machine]
OPEN_TREE = 428
MS_BIND, MS_MOVE = 4096, 8192


def mount(source, kind, flags, options=None):
    """On an output directory of its own, and gone again at once."""
    place = tempfile.mkdtemp(dir="." if os.access(".", os.W_OK) else None).encode()
    try:
        syscall(MOUNT, source, place, kind, flags, options)
        syscall(UMOUNT, place, 2)
    finally:
        os.rmdir(place)


attempt("tmpfs", mount, b"none", b"tmpfs", 0, b"size=1m")
attempt("bind", mount, b"/etc", None, MS_BIND)
# "/" is no mount that can be moved, whoever asks.
attempt("move", mount, b"/", None, MS_MOVE)
attempt("tree", syscall, OPEN_TREE, -100, b".", 1)
attempt("overlay", mount, b"none", b"overlay", 0, b"lowerdir=/etc:/usr")
