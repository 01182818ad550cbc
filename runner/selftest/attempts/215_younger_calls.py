# attempt: 215 calls that are younger than the filter
# SPDX-License-Identifier: MIT
# group: control
# expect: numbers=unknown
# works: plain
import errno

KNOWN = {449}  # futex_waitv, which programs may use
UNKNOWN = (errno.ENOSYS, errno.EPERM)


def answer(number):
    try:
        return syscall(number, 0, 0, 0, 0, 0, 0)
    except OSError as error:
        return -error.errno


# From Landlock's on, with arguments that make none of them do anything.
answered = [n for n in range(444, 1100) if n not in KNOWN and -answer(n) not in UNKNOWN]
met("numbers", "worked" if answered else "unknown")
