# attempt: 172 read the kernel's messages and the addresses of its code and memory
# SPDX-License-Identifier: MIT
# group: information
# expect: symbols=ENOENT messages=EPERM message_size=EPERM message_device=ENOENT
# expect: stack=EACCES|EPERM|ENOENT page_frames=zero sleeping_at=no_address address_in_stat=zero
# expect: modules=ENOENT notes=ENOENT system_call=no_address|ENOENT|EPERM|EACCES
# without seccomp: messages=EPERM|worked message_size=EPERM|worked
# works: plain
import mmap
import os
import struct


def read(path, size=4096):
    with open(path, "rb") as file:
        return file.read(size)


attempt("symbols", read, "/proc/kallsyms")
room = _ctypes.create_string_buffer(4096)


def messages(action):
    if _libc.klogctl(action, room, 4096) < 0:
        raise OSError(_ctypes.get_errno(), "klogctl")


attempt("messages", messages, 3)
attempt("message_size", messages, 10)
attempt("message_device", os.open, "/dev/kmsg", os.O_RDONLY)
attempt("stack", read, "/proc/self/stack")
page = mmap.mmap(-1, mmap.PAGESIZE)
page[0] = 1
where = _ctypes.addressof(_ctypes.c_char.from_buffer(page))
with open("/proc/self/pagemap", "rb") as file:
    entry = struct.unpack("Q", os.pread(file.fileno(), 8, where // mmap.PAGESIZE * 8))[0]
met("page_frames", "worked" if entry & ((1 << 55) - 1) else "zero")
met("sleeping_at", "worked" if read("/proc/self/wchan").startswith(b"ffff") else "no_address")
fields = read("/proc/self/stat").rpartition(b")")[2].split()
met("address_in_stat", "worked" if int(fields[32]) > 1 else "zero")
attempt("modules", read, "/sys/module/ext4/sections/.text")
attempt("notes", read, "/sys/kernel/notes")
try:
    words = read("/proc/self/syscall").split()
    kernel = [word for word in words if word.startswith(b"0xffffffff8")]
    met("system_call", "worked" if kernel else "no_address")
except OSError as error:
    met("system_call", _errno.errorcode[error.errno])
