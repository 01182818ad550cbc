# attempt: 205 find a control descriptor in the place of a standard one, or beside them
# SPDX-License-Identifier: MIT
# group: control
# expect: input=plain output=plain error=plain others=none sockets=none
# works: never what leaks is seen here, and nothing may leak
import os
import stat


def kind(fd):
    """A pipe, a file or a null device; a socket would be the runner's."""
    mode = os.fstat(fd).st_mode
    return "socket" if stat.S_ISSOCK(mode) else "folder" if stat.S_ISDIR(mode) else "plain"


def is_open(fd):
    try:
        os.fstat(fd)
        return True
    except OSError:
        return False


met("input", kind(0))
met("output", kind(1))
met("error", kind(2))
others = [fd for fd in range(3, 4096) if is_open(fd)]
met("others", "none" if not others else "worked")
met("sockets", "none" if not any(kind(fd) == "socket" for fd in others) else "worked")
