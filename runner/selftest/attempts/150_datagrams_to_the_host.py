# attempt: 150 send datagrams to sockets of the host by their paths
# SPDX-License-Identifier: MIT
# group: network
# expect: log=ENOENT journal=ENOENT notify=ENOENT message=ENOENT upwards=ENOENT
# expect: by_root=EPERM|EACCES|ENOENT resolver=ENOENT
# works: never it depends on which services the machine has; a test with two sides brings its own
import os
import socket

one = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)


def send(path):
    one.sendto(b"<13>x", path)


def message(path):
    one.sendmsg([b"x"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, b"\1\0\0\0")], 0, path)


attempt("log", send, "/dev/log")
attempt("journal", send, "/run/systemd/journal/socket")
attempt("notify", send, os.environ.get("NOTIFY_SOCKET", "/run/systemd/notify"))
attempt("message", message, "/run/systemd/journal/dev-log")
attempt("upwards", send, "../../../../run/systemd/journal/socket")
attempt("by_root", send, "/proc/1/root/run/systemd/journal/socket")
attempt("resolver", send, "/run/systemd/resolve/io.systemd.Resolve")
