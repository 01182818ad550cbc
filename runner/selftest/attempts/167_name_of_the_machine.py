# attempt: 167 learn or change the name of the machine and of its domain
# SPDX-License-Identifier: MIT
# group: information
# expect: set_name=EPERM set_domain=EPERM name=sandbox domain=none full_name=sandbox
# expect: file=ENOENT|EROFS|EACCES
# works: plain
import ctypes
import os
import socket


def set_name():
    """To the name that it has, so that nothing changes where it is allowed."""
    name = os.uname().nodename.encode()
    if _libc.sethostname(name, len(name)) < 0:
        raise OSError(ctypes.get_errno(), "sethostname")


def domain():
    room = ctypes.create_string_buffer(256)
    _libc.getdomainname(room, 256)
    return room.value


def set_domain():
    name = domain()
    if _libc.setdomainname(name, len(name)) < 0:
        raise OSError(ctypes.get_errno(), "setdomainname")


def word(name):
    return "sandbox" if name in ("sandbox", "localhost") else "worked"


attempt("set_name", set_name)
attempt("set_domain", set_domain)
met("name", word(os.uname().nodename))
met("domain", "none" if domain() in (b"", b"(none)") else "worked")
met("full_name", word(socket.getfqdn(os.uname().nodename).split(".")[0]))
attempt("file", open, "/proc/sys/kernel/hostname", "w")
