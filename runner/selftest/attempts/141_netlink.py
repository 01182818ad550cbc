# attempt: 141 talk to the kernel by netlink: routes, audit, device events, everything else
# SPDX-License-Identifier: MIT
# group: network
# critical: yes
# expect: route=EAFNOSUPPORT audit=EAFNOSUPPORT uevent=EAFNOSUPPORT xfrm=EAFNOSUPPORT
# expect: netfilter=EAFNOSUPPORT generic=EAFNOSUPPORT socket_list=EAFNOSUPPORT
# without seccomp: route=EPERM audit=ECONNREFUSED|EPERM|EPROTONOSUPPORT uevent=nothing
# without seccomp: xfrm=EPERM|EPROTONOSUPPORT netfilter=EPERM|EPROTONOSUPPORT
# without seccomp: generic=own_network|EPROTONOSUPPORT
# without seccomp: socket_list=own_network|EPROTONOSUPPORT
# works: plain
import socket
import struct

NETLINK = 16


def ask(protocol, kind, body):
    """Sends one request and raises the errno that the kernel answers."""
    with socket.socket(NETLINK, socket.SOCK_RAW, protocol) as one:
        one.settimeout(1)
        one.sendto(struct.pack("=IHHII", 16 + len(body), kind, 5, 1, 0) + body, (0, 0))
        _, answer, _, _, _, code = struct.unpack_from("=IHHIIi", one.recv(65536))
        if answer == 2 and code:
            raise OSError(-code, "netlink")


def listen():
    with socket.socket(NETLINK, socket.SOCK_RAW, 15) as one:
        one.bind((0, 1))
        one.settimeout(0.3)
        one.recv(65536)


def told(label, protocol):
    try:
        socket.socket(NETLINK, socket.SOCK_RAW, protocol).close()
        met(label, "own_network")  # it lists what is in the sandbox's own network: nothing
    except OSError as error:
        met(label, _errno.errorcode[error.errno])


# RTM_NEWLINK: interface 1, which is the loopback, up.
attempt("route", ask, 0, 16, struct.pack("=BxHiII", 0, 0, 1, 1, 1))
attempt("audit", ask, 9, 1000, b"")
try:
    listen()
    met("uevent", "worked")
except socket.timeout:
    met("uevent", "nothing")
except OSError as error:
    met("uevent", _errno.errorcode[error.errno])
attempt("xfrm", ask, 6, 0x1c, bytes(8))
attempt("netfilter", ask, 12, 10 << 8, bytes(4))
told("generic", 16)
told("socket_list", 4)
