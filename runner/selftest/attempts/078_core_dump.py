# attempt: 78 have the host write or handle a memory image of the crashed program
# SPDX-License-Identifier: MIT
# group: privileges
# expect: raised=none lower=EPERM lowered=none hard=EPERM set=EPERM files=none time=bounded
# works: plain
import ctypes
import os
import resource
import tempfile
import time

CORE = resource.RLIMIT_CORE
began = time.monotonic()
os.chdir(tempfile.mkdtemp())


def limit(soft, hard=None):
    """setrlimit; resource.setrlimit tells a refusal by ValueError."""
    if hard is None:
        hard = resource.getrlimit(CORE)[1]
    pair = (ctypes.c_ulong * 2)(soft if soft is not None else hard, hard)
    if ctypes.CDLL(None, use_errno=True).setrlimit(CORE, pair) != 0:
        raise OSError(ctypes.get_errno(), "setrlimit")


def crash(label, soft):
    """The status of a crash tells whether its memory was dumped, to a file or a handler."""
    pid = os.fork()
    if pid == 0:
        try:
            limit(soft)
        except OSError:
            pass
        os.abort()
    met(label, "worked" if os.WCOREDUMP(os.waitpid(pid, 0)[1]) else "none")


crash("raised", None)
crash("lowered", 0)
left = os.listdir(".")
met("files", "some" if left else "none")
for name in left:
    os.remove(name)
for label, values in {"lower": (0, 1), "set": (1, 1), "hard": (0, 0)}.items():
    try:
        limit(*values)
        met(label, "allowed")
    except OSError as error:
        met(label, "EPERM" if error.errno == 1 else str(error))
met("time", "bounded" if time.monotonic() - began < 5 else "long")
