# attempt: 21 make a sparse file of 16 TiB
# SPDX-License-Identifier: MIT
# group: exhaustion
# expect: truncated=EFBIG sought=EFBIG
# without resource_limits: truncated=worked sought=worked
# works: without resource_limits
import os

SIZE = 16 << 40


def by_truncate():
    file = os.open("sparse", os.O_RDWR | os.O_CREAT, 0o600)
    os.ftruncate(file, SIZE)
    os.unlink("sparse")


def by_write():
    """One byte, far away."""
    file = os.open("sparse-2", os.O_RDWR | os.O_CREAT, 0o600)
    os.pwrite(file, b"x", SIZE - 1)
    os.unlink("sparse-2")


attempt("truncated", by_truncate)
attempt("sought", by_write)
