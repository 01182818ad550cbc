# attempt: 133 make internet sockets of every kind and reach something
# SPDX-License-Identifier: MIT
# group: network
# critical: yes
# expect: loopback=EAFNOSUPPORT tcp4=EAFNOSUPPORT tcp6=EAFNOSUPPORT udp4=EAFNOSUPPORT
# expect: udp6=EAFNOSUPPORT raw4=EAFNOSUPPORT raw6=EAFNOSUPPORT ping4=EAFNOSUPPORT
# expect: ping6=EAFNOSUPPORT mptcp=EAFNOSUPPORT sctp=EAFNOSUPPORT
# without seccomp: loopback=ENETUNREACH|EACCES tcp4=ENETUNREACH|EACCES udp4=ENETUNREACH
# without seccomp: tcp6=ENETUNREACH|EADDRNOTAVAIL|EAFNOSUPPORT|EACCES
# without seccomp: udp6=ENETUNREACH|EADDRNOTAVAIL|EAFNOSUPPORT
# without seccomp: raw4=EPERM raw6=EPERM|EAFNOSUPPORT ping4=EACCES|ENETUNREACH
# without seccomp: ping6=EACCES|ENETUNREACH|EADDRNOTAVAIL|EAFNOSUPPORT
# without seccomp: mptcp=ENETUNREACH|EACCES|EPROTONOSUPPORT|ENOPROTOOPT sctp=not_tried
# works: plain
import fcntl
import socket
import struct

INET, INET6, STREAM, DATAGRAM = (socket.AF_INET, socket.AF_INET6, socket.SOCK_STREAM,
                                 socket.SOCK_DGRAM)
FOUR, SIX = ("192.0.2.1", 9), ("2001:db8::1", 9)  # addresses of the documentation, nobody's


def reach(family, kind, protocol, where):
    with socket.socket(family, kind, protocol) as one:
        one.settimeout(2)
        one.connect(where)


def loopback():
    """Starts the loopback interface if it may, then talks to itself."""
    with socket.socket(INET, STREAM) as server:
        try:
            fcntl.ioctl(server, 0x8914, struct.pack("16sh22x", b"lo", 0x41))  # up, running
        except OSError:
            pass
        server.bind(("0.0.0.0", 0))
        server.listen()
        reach(INET, STREAM, 0, ("127.0.0.1", server.getsockname()[1]))


attempt("loopback", loopback)
attempt("tcp4", reach, INET, STREAM, 0, FOUR)
attempt("tcp6", reach, INET6, STREAM, 0, SIX)
attempt("udp4", reach, INET, DATAGRAM, 0, FOUR)
attempt("udp6", reach, INET6, DATAGRAM, 0, SIX)
attempt("raw4", reach, INET, socket.SOCK_RAW, socket.IPPROTO_ICMP, FOUR)
attempt("raw6", reach, INET6, socket.SOCK_RAW, socket.IPPROTO_ICMPV6, SIX)
attempt("ping4", reach, INET, DATAGRAM, socket.IPPROTO_ICMP, FOUR)
attempt("ping6", reach, INET6, DATAGRAM, socket.IPPROTO_ICMPV6, SIX)
attempt("mptcp", reach, INET, STREAM, 262, FOUR)
try:
    socket.socket(INET, STREAM).close()
    met("sctp", "not_tried")  # it would make the kernel load a module
except OSError:
    attempt("sctp", reach, INET, STREAM, 132, FOUR)
