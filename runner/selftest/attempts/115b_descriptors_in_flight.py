# attempt: 115 hold more descriptors than allowed by sending them to oneself without receiving
# SPDX-License-Identifier: MIT
# group: exhaustion
# expect: in_flight=ETOOMANYREFS
# limits: open_files=64
# works: plain
import array
import os
import socket


def in_flight():
    """160 descriptors on the way; the kernel counts them against the limit of open files."""
    kept = []
    for _ in range(10):
        one, other = socket.socketpair()
        kept.append((one, other))
        ends = array.array("i", [os.open("/dev/null", os.O_RDONLY) for _ in range(16)])
        try:
            one.sendmsg([b"x"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, ends)])
        finally:
            for end in ends:
                os.close(end)


attempt("in_flight", in_flight)
