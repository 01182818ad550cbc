# attempt: 16 fill the other places that can be written
# SPDX-License-Identifier: MIT
# group: exhaustion
# expect: tmp=ENOSPC shm=ENOSPC
# limits: memory=512M
# works: plain
import os
import tempfile


def fill(where):
    """A little more than the 64 MiB that each has."""
    with tempfile.TemporaryDirectory(dir=where) as place:
        for number in range(9):
            with open(os.path.join(place, str(number)), "wb", buffering=0) as file:
                for _ in range(8):
                    left = memoryview(bytes(1 << 20))
                    while left:
                        left = left[file.write(left):]


attempt("tmp", fill, "/tmp")
attempt("shm", fill, "/dev/shm")
