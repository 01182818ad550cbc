# attempt: 136 ask the cloud's metadata service for credentials
# SPDX-License-Identifier: MIT
# group: network
# critical: yes
# expect: metadata4=EAFNOSUPPORT metadata6=EAFNOSUPPORT mapped=EAFNOSUPPORT http=EAFNOSUPPORT
# without seccomp: metadata4=ENETUNREACH|EACCES http=ENETUNREACH|EACCES
# without seccomp: metadata6=ENETUNREACH|EADDRNOTAVAIL|EAFNOSUPPORT|EACCES
# without seccomp: mapped=ENETUNREACH|EAFNOSUPPORT|EACCES
# works: plain
import fcntl
import socket
import struct
import urllib.request

PORT = 80


def connect(family, where):
    with socket.socket(family, socket.SOCK_STREAM) as one:
        one.settimeout(2)
        one.connect((where, PORT))


def serve():
    """In a network of its own, whoever may set addresses can play the service."""
    probe = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    try:
        probe.connect(("192.0.2.1", 9))
        return None  # something can be reached from here, so nothing is changed
    except OSError:
        pass
    address = struct.pack("16sH2s4s8x", b"lo:1", socket.AF_INET, b"", bytes((169, 254, 169, 254)))
    fcntl.ioctl(probe, 0x8914, struct.pack("16sh22x", b"lo", 0x41))
    fcntl.ioctl(probe, 0x8916, address)
    server = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    server.bind(("169.254.169.254", PORT))
    server.listen()
    return server


def http():
    try:
        urllib.request.urlopen("http://169.254.169.254/latest/meta-data/", timeout=1)
    except urllib.error.URLError as error:
        raise error.reason if isinstance(error.reason, OSError) else error


try:
    server = serve()
except OSError:
    pass
attempt("metadata4", connect, socket.AF_INET, "169.254.169.254")
attempt("metadata6", connect, socket.AF_INET6, "fd00:ec2::254")
attempt("mapped", connect, socket.AF_INET6, "::ffff:169.254.169.254")
attempt("http", http)
