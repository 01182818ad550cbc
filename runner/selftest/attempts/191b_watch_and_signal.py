# attempt: 191 learn when the host reads a file, and be woken by it
# SPDX-License-Identifier: MIT
# group: read_out
# expect: signal=EINVAL notify=EINVAL owner=EINVAL owner_ex=EINVAL hint=EINVAL inotify=ENOSYS fanotify=EPERM
# without seccomp: notify=worked|EINVAL signal=worked owner=worked owner_ex=worked hint=worked inotify=worked fanotify=worked|EPERM|ENOSYS
# works: without seccomp
import fcntl
import os
import struct

INOTIFY, FANOTIFY = {"x86_64": (294, 300), "aarch64": (26, 262)}[os.uname().machine]
F_SETOWN, F_SETSIG, F_SETOWN_EX, F_NOTIFY, F_SET_RW_HINT = 8, 10, 15, 1026, 1036
DN_ACCESS = 1

directory = os.open(".", os.O_RDONLY | os.O_DIRECTORY)
file = os.open("result.csv", os.O_RDWR | os.O_CREAT, 0o600)
attempt("signal", fcntl.fcntl, file, F_SETSIG, 0)
attempt("notify", fcntl.fcntl, directory, F_NOTIFY, DN_ACCESS)
attempt("owner", fcntl.fcntl, file, F_SETOWN, os.getpid())
attempt("owner_ex", fcntl.fcntl, file, F_SETOWN_EX, struct.pack("ii", 1, os.getpid()))
attempt("hint", fcntl.fcntl, file, F_SET_RW_HINT, (1).to_bytes(8, "little"))
attempt("inotify", syscall, INOTIFY, 0)
# FAN_CLASS_NOTIF | FAN_REPORT_FID: the kind that needs no privilege.
attempt("fanotify", syscall, FANOTIFY, 0x200, os.O_RDONLY)
