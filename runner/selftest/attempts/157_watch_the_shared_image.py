# attempt: 157 watch which files of the shared image other sandboxes open
# SPDX-License-Identifier: MIT
# group: ipc
# expect: inotify=ENOSYS inotify_old=ENOSYS|not_here directory_note=EINVAL
# without seccomp: inotify=EMFILE inotify_old=EMFILE|not_here directory_note=watched|EINVAL
# works: without seccomp,namespace_lock
import ctypes
import fcntl
import os

IN_OPEN = 0x20
folder = os.path.dirname(os.__file__)


def watch(descriptor):
    """Sees a file being opened; here it is this program that opens it."""
    if descriptor < 0:
        raise OSError(ctypes.get_errno(), "inotify_init")
    if _libc.inotify_add_watch(descriptor, folder.encode(), IN_OPEN) < 0:
        raise OSError(ctypes.get_errno(), "inotify_add_watch")
    os.close(os.open(os.__file__, os.O_RDONLY))
    os.set_blocking(descriptor, False)
    return os.read(descriptor, 4096)


attempt("inotify", lambda: watch(_libc.inotify_init1(0)))
if os.uname().machine == "x86_64":
    attempt("inotify_old", lambda: watch(syscall(253)))
else:
    met("inotify_old", "not_here")
try:
    fcntl.fcntl(os.open(folder, os.O_RDONLY), fcntl.F_NOTIFY, 0)
    met("directory_note", "watched")
except OSError as error:
    met("directory_note", _errno.errorcode[error.errno])
