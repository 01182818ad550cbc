# attempt: 79 load a program into the kernel (bpf)
# SPDX-License-Identifier: MIT
# group: calls
# expect: tracing=EPERM next_id=EPERM program=EPERM map=EPERM token=EPERM
# without seccomp: map=EPERM|ENOSYS|allowed program=EPERM|ENOSYS|allowed tracing=EPERM|ENOSYS next_id=EPERM|ENOSYS token=EPERM|EINVAL|EBADF|ENOSYS
# works: vm needs root of the host
import ctypes
import os
import struct

BPF = 321 if os.uname().machine == "x86_64" else 280
MAP_CREATE, PROG_LOAD, PROG_GET_NEXT_ID, TOKEN_CREATE = 0, 5, 11, 36
SOCKET_FILTER, KPROBE = 1, 2
# r0 = 0; exit
code = ctypes.create_string_buffer(struct.pack("=BBhiBBhi", 0xB7, 0, 0, 0, 0x95, 0, 0, 0))
licence = ctypes.create_string_buffer(b"MIT")


def bpf(command, layout, *values):
    data = ctypes.create_string_buffer(struct.pack(layout, *values).ljust(128, b"\0"))
    return syscall(BPF, command, data, 128)


def load(kind):
    return bpf(PROG_LOAD, "=IIQQ", kind, 2, ctypes.addressof(code), ctypes.addressof(licence))


def harmless(label, action, *arguments):
    """What the kernel lets every user do, where its settings say so."""
    try:
        action(*arguments)
        met(label, "allowed")
    except OSError as error:
        met(label, {1: "EPERM", 38: "ENOSYS"}.get(error.errno, "other"))


attempt("tracing", load, KPROBE)
attempt("next_id", bpf, PROG_GET_NEXT_ID, "=I", 0)
harmless("program", load, SOCKET_FILTER)
harmless("map", bpf, MAP_CREATE, "=IIII", 2, 4, 4, 1)
attempt("token", bpf, TOKEN_CREATE, "=Ii", 0, -1)
