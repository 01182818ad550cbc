# attempt: 146 ask for a family of more than 32 bits, which filter and kernel might read differently
# SPDX-License-Identifier: MIT
# group: network
# expect: inet=EAFNOSUPPORT netlink=EAFNOSUPPORT packet=EAFNOSUPPORT all_ones=EAFNOSUPPORT
# expect: type_bits=EAFNOSUPPORT unix=allowed
# without seccomp: inet=ENETUNREACH netlink=EPERM packet=EPERM all_ones=EAFNOSUPPORT
# without seccomp: type_bits=ENETUNREACH
# works: plain
import fcntl
import os
import socket
import struct

SOCKET = {"x86_64": 41, "aarch64": 198}[os.uname().machine]
HIGH = 0x7fffffff << 32


def reach(family, kind):
    with socket.socket(fileno=syscall(SOCKET, family, kind, 0)) as one:
        try:  # starts the loopback interface, where it may
            fcntl.ioctl(one, 0x8914, struct.pack("16sh22x", b"lo", 0x41))
        except OSError:
            pass
        one.connect(("127.0.0.1", 9))


def link_up():
    """By netlink: interface 1, which is the loopback, up."""
    with socket.socket(fileno=syscall(SOCKET, HIGH | 16, 3, 0)) as one:
        body = struct.pack("=BxHiII", 0, 0, 1, 1, 1)
        one.sendto(struct.pack("=IHHII", 32, 16, 5, 1, 0) + body, (0, 0))
        code = struct.unpack_from("=IHHIIi", one.recv(65536))[5]
        if code:
            raise OSError(-code, "netlink")


attempt("inet", reach, HIGH | 2, socket.SOCK_DGRAM)
attempt("netlink", link_up)
attempt("packet", syscall, SOCKET, HIGH | 17, 3, 0)
attempt("all_ones", syscall, SOCKET, -1, 1, 0)
attempt("type_bits", reach, 2, HIGH | socket.SOCK_DGRAM)
os.close(syscall(SOCKET, HIGH | 1, 1, 0))
met("unix", "allowed")
