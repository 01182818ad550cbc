# attempt: 192 make a page or a file that stalls its reader
# SPDX-License-Identifier: MIT
# group: read_out
# expect: user_faults=EPERM kernel_faults=EPERM device=ENOENT fuse_device=ENOENT fuse=EPERM fuseblk=EPERM nine_p=EPERM
# without seccomp: user_faults=worked|EPERM|ENOSYS kernel_faults=EPERM|ENOSYS|worked
# works: without seccomp
import os
import tempfile

NUMBERS = {"x86_64": (323, 165, 166), "aarch64": (282, 40, 39)}
USERFAULTFD, MOUNT, UMOUNT = NUMBERS[os.uname().machine]
USER_MODE_ONLY = 1


def mount(kind, options):
    """On a directory of its own, and gone again at once."""
    place = tempfile.mkdtemp().encode()
    try:
        syscall(MOUNT, b"none", place, kind, 0, options)
        syscall(UMOUNT, place, 2)
    finally:
        os.rmdir(place)


attempt("user_faults", syscall, USERFAULTFD, USER_MODE_ONLY)
# This kind stalls the kernel too, and with it the host's read of a shared page.
attempt("kernel_faults", syscall, USERFAULTFD, 0)
attempt("device", os.open, "/dev/userfaultfd", os.O_RDWR)
attempt("fuse_device", os.open, "/dev/fuse", os.O_RDWR)
attempt("fuse", mount, b"fuse", b"fd=0,rootmode=40000,user_id=1000,group_id=1000")
attempt("fuseblk", mount, b"fuseblk", b"fd=0,rootmode=40000,user_id=1000,group_id=1000")
attempt("nine_p", mount, b"9p", b"trans=fd,rfdno=0,wfdno=1")
