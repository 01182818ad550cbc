# attempt: 11 make the one device node that needs no privilege (character 0:0)
# SPDX-License-Identifier: MIT
# group: files
# expect: whiteout=EPERM high_bits=EPERM
# without seccomp: whiteout=worked|EACCES high_bits=worked|EACCES
# works: without seccomp,landlock
import os
import stat

NUMBER = {"x86_64": 259, "aarch64": 33}[os.uname().machine]

attempt("whiteout", os.mknod, "whiteout", stat.S_IFCHR | 0o600, os.makedev(0, 0))
# The kernel reads 16 bits of the mode: what stands above them must not deceive the filter.
attempt("high_bits", syscall, NUMBER, -100, b"whiteout-2", (1 << 32) | stat.S_IFCHR | 0o600, 0)
