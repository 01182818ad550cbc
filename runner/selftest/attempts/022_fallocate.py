# attempt: 22 reserve more than there is; punch holes for ever
# SPDX-License-Identifier: MIT
# group: exhaustion
# expect: many=ENOSPC one=EFBIG beyond_the_end=EFBIG holes=allowed
# without resource_limits: one=ENOSPC beyond_the_end=ENOSPC
# limits: work=16M
# works: plain
import os
import tempfile
import time

NUMBER = {"x86_64": 285, "aarch64": 47}[os.uname().machine]
KEEP_SIZE, PUNCH_HOLE = 1, 2
MIB = 1 << 20

with tempfile.TemporaryDirectory(dir="." if os.access(".", os.W_OK) else None) as place:
    def new(name):
        return os.open(os.path.join(place, name), os.O_RDWR | os.O_CREAT | os.O_TRUNC, 0o600)

    def many():
        for number in range(8):
            file = new(str(number))
            try:
                os.posix_fallocate(file, 0, 8 * MIB)
            finally:
                os.close(file)

    attempt("many", many)
    for name in os.listdir(place):
        os.unlink(os.path.join(place, name))
    attempt("one", syscall, NUMBER, new("one"), 0, 0, 64 * MIB)
    attempt("beyond_the_end", syscall, NUMBER, new("kept"), KEEP_SIZE, 0, 64 * MIB)
    file = new("holes")
    end = time.monotonic() + 0.5
    while time.monotonic() < end:
        os.pwrite(file, b"x" * 4096, 0)
        syscall(NUMBER, file, KEEP_SIZE | PUNCH_HOLE, 0, 4096)
    met("holes", "allowed" if os.fstat(file).st_blocks * 512 <= MIB else "worked")
