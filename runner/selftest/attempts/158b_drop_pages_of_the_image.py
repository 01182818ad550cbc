# attempt: 158 drop pages of the shared image from memory, to slow others or to see who reads them
# SPDX-License-Identifier: MIT
# group: ipc
# expect: drop=residual|kept drop_mapped=residual|kept
# works: never it is the kernel that lets every reader of a file drop its clean pages
import mmap
import os

# A module that hardly anybody reads, so that nobody is slowed by this.
path = os.path.join(os.path.dirname(os.__file__), "this.py")
file = os.open(path, os.O_RDONLY)
os.pread(file, 4096, 0)


def cached():
    try:
        return os.preadv(file, [bytearray(1)], 0, os.RWF_NOWAIT) == 1
    except OSError:
        return False


os.posix_fadvise(file, 0, 0, os.POSIX_FADV_DONTNEED)
met("drop", "kept" if cached() else "residual")
memory = mmap.mmap(file, 0, prot=mmap.PROT_READ, flags=mmap.MAP_PRIVATE)
memory[0]
memory.madvise(21)  # MADV_PAGEOUT
met("drop_mapped", "kept" if cached() else "residual")
