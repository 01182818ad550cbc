# attempt: 80 measure the kernel, the machine or others by performance events
# SPDX-License-Identifier: MIT
# group: calls
# critical: yes
# expect: machine=EPERM kernel=EPERM init=EPERM tracepoint=EPERM own=EPERM
# without seccomp: machine=EACCES|EPERM kernel=EACCES|EPERM init=EACCES|EPERM tracepoint=EACCES|EPERM|ENOENT own=allowed|EACCES|EPERM
# works: vm needs root of the host, or kernel.perf_event_paranoid=-1
import ctypes
import os
import struct

PERF_EVENT_OPEN = 298 if os.uname().machine == "x86_64" else 241
SOFTWARE, TRACEPOINT, CPU_CLOCK = 1, 2, 0
USER_ONLY = 1 << 5 | 1 << 6  # exclude_kernel, exclude_hv


def event(kind, what, bits, pid, cpu):
    head = struct.pack("=IIQQQQQ", kind, 112, what, 0, 0, 0, bits)
    return syscall(PERF_EVENT_OPEN, ctypes.create_string_buffer(head.ljust(112, b"\0")), pid, cpu,
                   -1, 0)


attempt("machine", event, SOFTWARE, CPU_CLOCK, 0, -1, 0)
attempt("kernel", event, SOFTWARE, CPU_CLOCK, 0, 0, -1)
attempt("init", event, SOFTWARE, CPU_CLOCK, USER_ONLY, 1, -1)
attempt("tracepoint", event, TRACEPOINT, 1, 0, -1, 0)
try:  # of ourselves, in user mode: nothing to learn that a clock does not tell
    event(SOFTWARE, CPU_CLOCK, USER_ONLY, 0, -1)
    met("own", "allowed")
except OSError as error:
    met("own", {1: "EPERM", 13: "EACCES"}.get(error.errno, "other"))
