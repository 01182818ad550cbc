# attempt: 69 put a looser system call filter on top, or listen to one
# SPDX-License-Identifier: MIT
# group: privileges
# expect: filter=EPERM listener=EPERM all_threads=EPERM strict=EPERM notify_sizes=EPERM
# expect: by_prctl=EINVAL|EPERM still_filtered=EAFNOSUPPORT
# works: plain
import ctypes
import os
import socket
import struct

X86 = os.uname().machine == "x86_64"
SECCOMP, PRCTL = (317, 157) if X86 else (277, 167)
TSYNC, LISTENER = 1, 8
code = ctypes.create_string_buffer(struct.pack("=HBBI", 6, 0, 0, 0x7FFF0000))  # allow everything
program = ctypes.create_string_buffer(struct.pack("@HP", 1, ctypes.addressof(code)))

attempt("filter", syscall, SECCOMP, 1, 0, program)
attempt("all_threads", syscall, SECCOMP, 1, TSYNC, program)
attempt("by_prctl", syscall, PRCTL, 22, 2, program, 0, 0)
attempt("notify_sizes", syscall, SECCOMP, 3, 0, ctypes.create_string_buffer(64))
attempt("listener", syscall, SECCOMP, 1, LISTENER, program)
attempt("still_filtered", socket.socket, socket.AF_INET)
pid = os.fork()
if pid == 0:
    attempt("strict", syscall, SECCOMP, 0, 0, None)
    syscall(60 if X86 else 93, 0)  # all that strict mode lets one do
os.waitpid(pid, 0)
