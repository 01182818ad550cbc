# attempt: 62 leave the root directory by chroot or pivot_root
# SPDX-License-Identifier: MIT
# group: privileges
# critical: yes
# expect: chroot=EPERM pivot_root=EPERM pivot_dot=EPERM
# works: plain
import os
import tempfile

PIVOT = 155 if os.uname().machine == "x86_64" else 41
place = tempfile.mkdtemp()


def new_root():
    os.chroot(place)
    if os.listdir("/"):
        raise OSError("the root is the old one")


attempt("pivot_root", syscall, PIVOT, place.encode(), place.encode())
attempt("pivot_dot", syscall, PIVOT, b".", b".")
attempt("chroot", new_root)
