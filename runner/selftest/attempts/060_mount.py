# attempt: 60 mount a file system, or a directory once more
# SPDX-License-Identifier: MIT
# group: privileges
# critical: yes
# expect: tmpfs=EPERM proc=EPERM sysfs=EPERM overlay=EPERM fuse=EPERM mqueue=EPERM bind=EPERM
# expect: rbind=EPERM remount_root=EPERM remount_bind=EPERM
# expect: remount_work=EPERM share=EPERM move=EPERM
# works: plain
import os
import tempfile

MOUNT = 165 if os.uname().machine == "x86_64" else 40
REMOUNT, BIND, MOVE, REC, SHARED = 0x20, 0x1000, 0x2000, 0x4000, 0x100000
place = tempfile.mkdtemp()


def mount(source, kind, flags, data=None, target=None):
    where = target or place
    syscall(MOUNT, source, where.encode(), kind, flags, data)


def new_file_system():
    before = os.stat(place).st_dev
    mount(b"none", b"tmpfs", 0)
    if os.stat(place).st_dev == before:
        raise OSError("nothing was mounted")


attempt("tmpfs", new_file_system)
attempt("proc", mount, b"proc", b"proc", 0)
attempt("sysfs", mount, b"sysfs", b"sysfs", 0)
attempt("overlay", mount, b"overlay", b"overlay", 0, b"lowerdir=/usr:/etc")
attempt("fuse", mount, b"fuse", b"fuse", 0, b"fd=0,rootmode=40000,user_id=0,group_id=0")
attempt("mqueue", mount, b"mqueue", b"mqueue", 0)
attempt("bind", mount, b"/usr", None, BIND)
attempt("rbind", mount, b"/", None, BIND | REC)
attempt("move", mount, b"/proc", None, MOVE)
if os.getuid() != 0:  # never as root: these would touch mounts that are not ours
    attempt("remount_root", mount, None, None, REMOUNT, None, "/")
    attempt("remount_bind", mount, None, None, REMOUNT | BIND, None, "/usr/lib")
    attempt("remount_work", mount, None, None, REMOUNT | BIND, None, os.getcwd())
    attempt("share", mount, None, None, SHARED | REC, None, "/")
