# attempt: 149 socket options that reach into the network or the kernel, on a unix socket
# SPDX-License-Identifier: MIT
# group: network
# expect: mark=EPERM receive_buffer=EPERM send_buffer=EPERM debug=EACCES priority=EPERM
# expect: busy_poll=EPERM|ENOPROTOOPT|allowed device=EPERM|allowed bpf=EPERM|EBADF|EINVAL
# expect: filter=EPERM|allowed locked_filter=EPERM|allowed
# works: plain
import ctypes
import socket
import struct

SOCKET = socket.SOL_SOCKET
one, other = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)


def harmless(label, *option):
    """Allowed is fine: the option has no effect outside of this socket."""
    try:
        one.setsockopt(SOCKET, *option)
        met(label, "allowed")
    except OSError as error:
        met(label, _errno.errorcode[error.errno])


attempt("mark", one.setsockopt, SOCKET, 36, 1)
attempt("receive_buffer", one.setsockopt, SOCKET, 33, 1 << 30)
attempt("send_buffer", one.setsockopt, SOCKET, 32, 1 << 30)
attempt("debug", one.setsockopt, SOCKET, 1, 1)
attempt("priority", one.setsockopt, SOCKET, 12, 7)
harmless("busy_poll", 46, 1000)
harmless("device", 25, b"lo\0")
code = ctypes.create_string_buffer(struct.pack("HBBI", 6, 0, 0, 0xffff))  # accept everything
program = struct.pack("HxxxxxxP", 1, ctypes.addressof(code))
harmless("filter", 26, program)
attempt("bpf", one.setsockopt, SOCKET, 50, 9999)
harmless("locked_filter", 44, 1)
