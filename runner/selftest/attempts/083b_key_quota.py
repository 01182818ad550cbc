# attempt: 83 use up the quota of keys
# SPDX-License-Identifier: MIT
# group: calls
# expect: exhaust=EPERM
# works: plain
import errno
import os

ADD_KEY = 248 if os.uname().machine == "x86_64" else 217
PROCESS = -2  # the ring goes with the process


def exhaust():
    """200 keys are what a user may have."""
    try:
        for number in range(300):
            syscall(ADD_KEY, b"user", b"selftest:%d" % number, b"x", 1, PROCESS)
    except OSError as error:
        if error.errno != errno.EDQUOT or number == 0:
            raise


attempt("exhaust", exhaust)
