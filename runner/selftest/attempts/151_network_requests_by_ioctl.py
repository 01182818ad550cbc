# attempt: 151 see and change network interfaces by ioctl on a unix socket
# SPDX-License-Identifier: MIT
# group: network
# expect: set_flags=ENOTTY list=ENOTTY ethtool=ENOTTY address=ENOTTY route=ENOTTY namespace=ENOTTY
# without seccomp: set_flags=EPERM list=own_network address=EPERM|ENOTTY|EINVAL
# without seccomp: ethtool=own_network|EOPNOTSUPP|ENOTSUP|EPERM route=EPERM|ENOTTY|EINVAL
# without seccomp: namespace=EPERM|ENOTTY
# works: plain
import ctypes
import fcntl
import socket
import struct

one = socket.socket(socket.AF_UNIX)
lo = struct.pack("16s24x", b"lo")


def own(label, request, argument):
    """What answers is the sandbox's own network, which has nothing in it."""
    try:
        fcntl.ioctl(one, request, argument)
        met(label, "own_network")
    except OSError as error:
        met(label, _errno.errorcode[error.errno])


attempt("set_flags", fcntl.ioctl, one, 0x8914, struct.pack("16sh22x", b"lo", 0x41))
room = ctypes.create_string_buffer(4096)
own("list", 0x8912, struct.pack("ixxxxP", 4096, ctypes.addressof(room)))
driver = ctypes.create_string_buffer(struct.pack("I", 3), 256)
own("ethtool", 0x8946, struct.pack("16sP16x", b"lo", ctypes.addressof(driver)))
attempt("address", fcntl.ioctl, one, 0x8916, lo)
attempt("route", fcntl.ioctl, one, 0x890b, bytes(120))
attempt("namespace", fcntl.ioctl, one, 0x894c, 0)
