# attempt: 156 signal to other sandboxes by locks and leases on files of the shared image
# SPDX-License-Identifier: MIT
# group: ipc
# expect: lease_own=EINVAL lease_shared=EINVAL notify=EINVAL write_lock=EBADF owner_signal=EINVAL
# expect: flock=residual read_lock=residual
# without seccomp: lease_own=worked lease_shared=EACCES|EAGAIN|worked
# without seccomp: notify=residual|EINVAL owner_signal=residual
# works: without seccomp
import fcntl
import os
import tempfile

shared = os.open(os.__file__, os.O_RDONLY)
own = tempfile.TemporaryFile(dir="/tmp")
os.set_blocking(shared, False)


def residual(label, action, *arguments):
    """What stays possible by design and is documented; strict closes flock."""
    try:
        action(*arguments)
        met(label, "residual")
    except OSError as error:
        met(label, _errno.errorcode[error.errno])


attempt("lease_own", fcntl.fcntl, own, fcntl.F_SETLEASE, fcntl.F_WRLCK)
attempt("lease_shared", fcntl.fcntl, shared, fcntl.F_SETLEASE, fcntl.F_RDLCK)
folder = os.open(os.path.dirname(os.__file__), os.O_RDONLY)
residual("notify", fcntl.fcntl, folder, fcntl.F_NOTIFY, 0)
residual("owner_signal", fcntl.fcntl, shared, fcntl.F_SETOWN, os.getpid())
attempt("write_lock", fcntl.lockf, shared, fcntl.LOCK_EX | fcntl.LOCK_NB)
residual("flock", fcntl.flock, shared, fcntl.LOCK_EX | fcntl.LOCK_NB)
residual("read_lock", fcntl.lockf, shared, fcntl.LOCK_SH | fcntl.LOCK_NB)
