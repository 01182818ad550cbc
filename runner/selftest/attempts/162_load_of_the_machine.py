# attempt: 162 read the machine's load, memory and number of processes
# SPDX-License-Identifier: MIT
# group: ipc
# expect: load_file=ENOENT memory_file=ENOENT statistics=ENOENT pressure=ENOENT disks=ENOENT
# expect: interrupts=ENOENT sysinfo=residual
# works: plain
import ctypes
import os


def read(path):
    with open(path) as file:
        return file.read(64)


attempt("load_file", read, "/proc/loadavg")
attempt("memory_file", read, "/proc/meminfo")
attempt("statistics", read, "/proc/stat")
attempt("pressure", read, "/proc/pressure/cpu")
attempt("disks", read, "/proc/diskstats")
attempt("interrupts", read, "/proc/interrupts")
# The system call tells load, free memory and process count of the machine, and cannot be narrowed.
room = ctypes.create_string_buffer(256)
met("sysinfo", "residual" if _libc.sysinfo(room) == 0 and os.getloadavg() else "none")
