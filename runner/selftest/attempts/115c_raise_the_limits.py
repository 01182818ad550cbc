# attempt: 115 raise the limit of open files, then open more
# SPDX-License-Identifier: MIT
# group: exhaustion
# expect: open_files=EPERM processes=EPERM memory=EPERM signals=EPERM locked=EPERM
# limits: open_files=64 memory=256M processes=16
# without resource_limits: open_files=worked processes=EPERM|allowed memory=EPERM|allowed
# without resource_limits: signals=EPERM|allowed locked=EPERM|allowed
# works: without resource_limits
import ctypes
import os
import resource


def raise_limit(which, value):
    pair = (ctypes.c_ulong * 2)(value, value)
    if _libc.setrlimit(which, pair) < 0:
        raise OSError(ctypes.get_errno(), "setrlimit")


def more_files():
    raise_limit(resource.RLIMIT_NOFILE, 128)
    for _ in range(100):
        os.open("/dev/null", os.O_RDONLY)


def more(label, which, value):
    try:
        raise_limit(which, value)
        met(label, "allowed")
    except OSError as error:
        met(label, _errno.errorcode[error.errno])


attempt("open_files", more_files)
more("processes", resource.RLIMIT_NPROC, 10000)
more("memory", resource.RLIMIT_DATA, 1 << 40)
more("signals", 11, 1 << 20)
more("locked", resource.RLIMIT_MEMLOCK, 1 << 30)
