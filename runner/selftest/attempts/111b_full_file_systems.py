# attempt: 111 fill /tmp, /dev/shm and /work by files that have no name any more
# SPDX-License-Identifier: MIT
# group: exhaustion
# expect: tmp=ENOSPC shm=ENOSPC work=ENOSPC
# limits: memory=512M work=16M timeout=15s
# works: plain
import os
import tempfile

piece = b"x" * (4 << 20)


def fill(directory):
    """68 MiB in 17 files; the size of /tmp and /dev/shm is 64 MiB."""
    kept = []
    for _ in range(17):
        descriptor, name = tempfile.mkstemp(dir=directory)
        os.unlink(name)
        kept.append(os.fdopen(descriptor, "wb", buffering=0))
        if kept[-1].write(piece) < len(piece):
            kept[-1].write(piece)


attempt("tmp", fill, "/tmp")
attempt("shm", fill, "/dev/shm")
attempt("work", fill, "/work")
