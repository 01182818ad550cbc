# attempt: 112 keep kernel memory in the buffers of sockets
# SPDX-License-Identifier: MIT
# group: exhaustion
# expect: sockets=EMFILE kernel_memory=bounded forced_buffer=EPERM
# limits: open_files=128 timeout=15s
# works: plain
import socket

pairs = []


def many():
    for _ in range(80):
        pairs.append(socket.socketpair())


attempt("sockets", many)
total = 0
for one, other in pairs:
    for end in (one, other):
        end.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 30)
        end.setblocking(False)
        try:
            while total < 64 << 20:
                total += end.send(b"x" * 65536)
        except BlockingIOError:
            pass
met("kernel_memory", "bounded" if total < 64 << 20 else "worked")
SO_SNDBUFFORCE = 32
attempt("forced_buffer", pairs[0][0].setsockopt, socket.SOL_SOCKET, SO_SNDBUFFORCE, 1 << 30)
