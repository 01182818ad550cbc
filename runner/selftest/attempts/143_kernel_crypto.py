# attempt: 143 use the kernel's crypto code by AF_ALG sockets
# SPDX-License-Identifier: MIT
# group: network
# critical: yes
# expect: hash=EAFNOSUPPORT cipher=EAFNOSUPPORT aead=EAFNOSUPPORT random=EAFNOSUPPORT
# without seccomp: hash=worked|EAFNOSUPPORT|ENOENT cipher=not_tried aead=not_tried random=not_tried
# works: without seccomp
import hashlib
import socket

ALG = 38


def digest():
    with socket.socket(ALG, socket.SOCK_SEQPACKET) as one:
        one.bind(("hash", "sha256"))
        operation, _ = one.accept()
        operation.sendall(b"x")
        if operation.recv(32) != hashlib.sha256(b"x").digest():
            raise ValueError("not a digest")


def bind(kind, name):
    with socket.socket(ALG, socket.SOCK_SEQPACKET) as one:
        one.bind((kind, name))


attempt("hash", digest)
try:
    socket.socket(socket.AF_INET).close()
    filtered = False  # asked for an algorithm, the kernel would load its module: not tried
except OSError:
    filtered = True
for label, kind, name in (("cipher", "skcipher", "cbc(aes)"), ("aead", "aead", "gcm(aes)"),
                          ("random", "rng", "stdrng")):
    attempt(label, bind, kind, name) if filtered else met(label, "not_tried")
