# attempt: 145 make pairs of sockets of other families
# SPDX-License-Identifier: MIT
# group: network
# expect: inet=EAFNOSUPPORT inet6=EAFNOSUPPORT tipc=EAFNOSUPPORT netlink=EAFNOSUPPORT
# expect: high_bits=EAFNOSUPPORT unix=allowed
# without seccomp: inet=EOPNOTSUPP|ENOTSUP inet6=EOPNOTSUPP|ENOTSUP|EAFNOSUPPORT tipc=not_tried
# without seccomp: netlink=EOPNOTSUPP|ENOTSUP high_bits=EOPNOTSUPP|ENOTSUP
# works: never the kernel makes pairs of unix sockets (and of TIPC, where there is such a module)
import ctypes
import os
import socket

SOCKETPAIR = {"x86_64": 53, "aarch64": 199}[os.uname().machine]


def pair(family):
    ends = (ctypes.c_int * 2)()
    syscall(SOCKETPAIR, family, socket.SOCK_DGRAM, 0, ends)


attempt("inet", pair, 2)
attempt("inet6", pair, 10)
try:
    socket.socket(socket.AF_INET).close()
    met("tipc", "not_tried")  # it would make the kernel load a module
except OSError:
    attempt("tipc", pair, 30)
attempt("netlink", pair, 16)
attempt("high_bits", pair, (1 << 32) | 2)
pair(1)
met("unix", "allowed")
