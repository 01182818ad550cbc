# attempt: 35 shift the clocks of a time namespace
# SPDX-License-Identifier: MIT
# group: privileges
# expect: offsets=EPERM written=EROFS|ENOENT
# works: plain
import os

NUMBER = {"x86_64": 272, "aarch64": 97}[os.uname().machine]


def write():
    with open("/proc/self/timens_offsets", "w") as file:
        file.write("monotonic 86400 0\n")


def shift():
    syscall(NUMBER, 0x80)
    write()


attempt("offsets", shift)
attempt("written", write)
