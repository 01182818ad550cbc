# attempt: 191 stall the host's open with a lease
# SPDX-License-Identifier: MIT
# group: read_out
# expect: lease=EINVAL read_lease=EINVAL upper_bits=EINVAL
# without seccomp: lease=worked read_lease=worked upper_bits=worked
# works: without seccomp
import os

NUMBER = {"x86_64": 72, "aarch64": 25}[os.uname().machine]
F_DUPFD, F_SETLEASE = 0, 1024
F_RDLCK, F_WRLCK = 0, 1


def lease(name, command, kind):
    """A write lease makes everyone who opens the file wait for its holder."""
    os.close(os.open(name, os.O_CREAT | os.O_WRONLY, 0o600))
    file = os.open(name, os.O_RDONLY)
    syscall(NUMBER, file, command, kind)
    os.close(file)


attempt("lease", lease, "result-1.csv", F_SETLEASE, F_WRLCK)
attempt("read_lease", lease, "result-2.csv", F_SETLEASE, F_RDLCK)
# The kernel reads 32 bits of the command: what stands above them must not deceive the filter.
attempt("upper_bits", lease, "result-3.csv", (1 << 32) | F_SETLEASE, F_WRLCK)
