# attempt: 137 connect to abstract sockets of the host's programs
# SPDX-License-Identifier: MIT
# group: network
# critical: yes
# expect: x11=ECONNREFUSED|EPERM dbus=ECONNREFUSED|EPERM systemd=ECONNREFUSED|EPERM
# expect: containerd=ECONNREFUSED|EPERM ibus=ECONNREFUSED|EPERM datagram=ECONNREFUSED|EPERM
# expect: send=ECONNREFUSED|EPERM names=ENOENT
# works: never the host's half is needed; a test with two sides connects to a listener of its own
import socket


def connect(name, kind=socket.SOCK_STREAM):
    with socket.socket(socket.AF_UNIX, kind) as one:
        one.settimeout(2)
        one.connect(b"\0" + name)


def send(name):
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as one:
        one.sendto(b"x", b"\0" + name)


attempt("x11", connect, b"/tmp/.X11-unix/X0")
attempt("dbus", connect, b"/tmp/dbus-session")
attempt("systemd", connect, b"/org/freedesktop/systemd1/notify")
attempt("containerd", connect, b"/containerd-shim/moby/shim.sock")
attempt("ibus", connect, b"/home/user/.cache/ibus/dbus-socket")
attempt("datagram", connect, b"/run/systemd/journal/dev-log", socket.SOCK_DGRAM)
attempt("send", send, b"/run/systemd/notify")
attempt("names", open, "/proc/net/unix")
