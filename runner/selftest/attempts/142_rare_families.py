# attempt: 142 sockets of rare families, whose code in the kernel few have looked at
# SPDX-License-Identifier: MIT
# group: network
# critical: yes
# expect: packet=EAFNOSUPPORT packet_datagram=EAFNOSUPPORT xdp=EAFNOSUPPORT can=EAFNOSUPPORT
# expect: bluetooth=EAFNOSUPPORT tipc=EAFNOSUPPORT rds=EAFNOSUPPORT kcm=EAFNOSUPPORT
# expect: smc=EAFNOSUPPORT vsock=EAFNOSUPPORT others=EAFNOSUPPORT
# without seccomp: packet=EPERM packet_datagram=EPERM xdp=not_tried can=not_tried
# without seccomp: bluetooth=not_tried tipc=not_tried rds=not_tried kcm=not_tried
# without seccomp: smc=not_tried vsock=not_tried others=not_tried
# works: plain
import socket

RAW, STREAM, DATAGRAM, PACKET_MESSAGES = 3, 1, 2, 5


def make(family, kind, protocol=0):
    socket.socket(family, kind, protocol).close()


attempt("packet", make, 17, RAW, 0x0300)
attempt("packet_datagram", make, 17, DATAGRAM, 0x0300)
rare = {"xdp": (44, RAW), "can": (29, RAW, 1), "bluetooth": (31, RAW, 1),
        "tipc": (30, PACKET_MESSAGES), "rds": (21, PACKET_MESSAGES), "kcm": (41, DATAGRAM),
        "smc": (43, STREAM), "vsock": (40, STREAM)}
try:
    make(2, STREAM)
    filtered = False  # asked for such a family, the kernel would load its module: not tried
except OSError:
    filtered = True
for label, wanted in rare.items():
    attempt(label, make, *wanted) if filtered else met(label, "not_tried")
# Every number that is a family or might become one, but AF_UNIX and IPv4.
words = set()
for family in [0, *range(3, 48), 255, 65535, 1 << 30]:
    for kind in (STREAM, DATAGRAM, RAW, PACKET_MESSAGES) if filtered else ():
        try:
            make(family, kind)
            words.add("worked")
        except OSError as error:
            words.add(_errno.errorcode[error.errno])
met("others", "+".join(sorted(words)) if filtered else "not_tried")
