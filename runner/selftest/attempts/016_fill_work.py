# attempt: 16 fill the working directory
# SPDX-License-Identifier: MIT
# group: exhaustion
# expect: fill=ENOSPC one_file=ENOSPC|EFBIG after=allowed
# limits: work=16M
# works: plain
import os
import tempfile

MIB = b"x" * (1 << 20)


def write(path, mebibytes):
    with open(path, "wb", buffering=0) as file:
        for _ in range(mebibytes):
            done = 0
            while done < len(MIB):
                done += file.write(MIB[done:])


def fill(place):
    for number in range(64):
        write(os.path.join(place, str(number)), 1)


with tempfile.TemporaryDirectory(dir="." if os.access(".", os.W_OK) else None) as place:
    attempt("fill", fill, place)
with tempfile.TemporaryDirectory(dir="." if os.access(".", os.W_OK) else None) as place:
    attempt("one_file", write, os.path.join(place, "one"), 64)
with tempfile.TemporaryDirectory(dir="." if os.access(".", os.W_OK) else None) as place:
    write(os.path.join(place, "small"), 1)
    met("after", "allowed")
