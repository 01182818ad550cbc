# attempt: 158 learn from the page cache which files of the shared image are in use
# SPDX-License-Identifier: MIT
# group: ipc
# expect: cachestat=ENOSYS mincore=tells_nothing|residual nowait=residual access_time=residual
# without seccomp: cachestat=residual|EPERM|ENOSYS
# works: never what the kernel tells depends on its version and on who owns the image's files
import ctypes
import mmap
import os

# The largest module of the standard library: not all of it has been read lately.
folder = os.path.dirname(os.__file__)
sizes = [(entry.stat().st_size, entry.path) for entry in os.scandir(folder) if entry.is_file()]
path = max(sizes)[1]
file = os.open(path, os.O_RDONLY)
size = os.fstat(file).st_size


def cachestat():
    extent = (ctypes.c_ulong * 2)(0, size)
    syscall(451, file, extent, (ctypes.c_ulong * 5)(), 0)


try:
    cachestat()
    met("cachestat", "residual")
except OSError as error:
    met("cachestat", _errno.errorcode[error.errno])
memory = mmap.mmap(file, size, flags=mmap.MAP_PRIVATE)
pages = (size + mmap.PAGESIZE - 1) // mmap.PAGESIZE
told = ctypes.create_string_buffer(pages)
where = ctypes.addressof(ctypes.c_char.from_buffer(memory))
_libc.mincore(ctypes.c_void_p(where), ctypes.c_size_t(size), told)
met("mincore", "tells_nothing" if all(byte == b"\1" for byte in told) else "residual")
try:
    os.preadv(file, [bytearray(1)], 0, os.RWF_NOWAIT)
    met("nowait", "residual")
except BlockingIOError:
    met("nowait", "residual")
met("access_time", "residual" if os.stat(path).st_atime else "none")
