# attempt: 89 watch what others do with the shared image
# SPDX-License-Identifier: MIT
# group: calls
# expect: inotify=ENOSYS fanotify=EPERM directory_signal=EINVAL|EPERM lease=EINVAL|EPERM
# works: plain
import fcntl
import os
import signal
import sys
import tempfile

X86 = os.uname().machine == "x86_64"
FOLDER = os.path.dirname(os.path.realpath(sys.executable))
OPENED, NONBLOCK = 0x20, 0o4000


def inotify():
    """Sees the opening of a file in a directory of the image."""
    fd = syscall(294 if X86 else 26, NONBLOCK)
    syscall(254 if X86 else 27, fd, FOLDER.encode(), OPENED)
    os.close(os.open(FOLDER, os.O_RDONLY))
    os.read(fd, 4096)


attempt("inotify", inotify)
attempt("fanotify", syscall, 300 if X86 else 262, 0x200, 0)
signal.signal(signal.SIGIO, signal.SIG_IGN)
attempt("directory_signal", lambda: fcntl.fcntl(os.open(FOLDER, os.O_RDONLY), fcntl.F_NOTIFY, 1))
with tempfile.TemporaryFile() as own:
    attempt("lease", fcntl.fcntl, own.fileno(), fcntl.F_SETLEASE, fcntl.F_WRLCK)
