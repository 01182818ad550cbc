# attempt: 87 write into the page cache of a file opened for reading, by a pipe
# SPDX-License-Identifier: MIT
# group: calls
# expect: gift=EPERM file=unchanged backwards=EBADF
# works: plain
import ctypes
import os
import tempfile

SPLICE, VMSPLICE = (275, 278) if os.uname().machine == "x86_64" else (76, 75)
PAGE = 4096
page = ctypes.create_string_buffer(2 * PAGE)
part = (ctypes.c_size_t * 2)(ctypes.addressof(page), PAGE)
_, write_end = os.pipe()

attempt("gift", syscall, VMSPLICE, write_end, part, 1, 8)  # SPLICE_F_GIFT

# A file of our own stands for one of the image: a kernel with the hole must not change the host.
fd, name = tempfile.mkstemp()
os.write(fd, b"a" * 64)
os.fsync(fd)
os.close(fd)
os.chmod(name, 0o444)
target = os.open(name, os.O_RDONLY)
reader, writer = os.pipe()
for _ in range(16):  # every slot was used for writing once, and so may be merged into
    os.write(writer, b"x" * PAGE)
for _ in range(16):
    os.read(reader, PAGE)
syscall(SPLICE, target, None, writer, None, 1, 0)
os.write(writer, b"changed")
with open(name, "rb") as file:
    met("file", "unchanged" if file.read() == b"a" * 64 else "worked")
attempt("backwards", syscall, SPLICE, reader, None, target, None, 8, 0)
os.remove(name)
