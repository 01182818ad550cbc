# attempt: 112 keep file pages alive in pipes after the file is gone (splice)
# SPDX-License-Identifier: MIT
# group: exhaustion
# expect: spliced=EAGAIN|EPERM more_than_a_pipe=bounded
# limits: memory=256M timeout=10s
# works: never the kernel counts the pages of a pipe, whoever filled it
import ctypes
import os
import tempfile

file = tempfile.TemporaryFile(dir="/tmp", buffering=0)
file.write(b"x" * (2 << 20))
reader, writer = os.pipe()
os.set_blocking(writer, False)
moved = 0


def splice():
    """A pipe holds 16 pages at first, so this must stop far before the 2 MiB."""
    global moved
    while moved < 2 << 20:
        offset = ctypes.c_longlong(moved)
        count = _libc.splice(file.fileno(), ctypes.byref(offset), writer, None,
                             ctypes.c_size_t(1 << 16), 2)
        if count < 0:
            raise OSError(ctypes.get_errno(), "splice")
        moved += count


attempt("spliced", splice)
met("more_than_a_pipe", "bounded" if moved <= 1 << 20 else "worked")
