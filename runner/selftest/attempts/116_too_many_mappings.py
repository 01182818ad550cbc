# attempt: 116 populate, lock, huge pages and more mappings than a process may have
# SPDX-License-Identifier: MIT
# group: exhaustion
# expect: populate=ENOMEM huge_pages=ENOMEM|EINVAL|ENOSYS mlock=EPERM mlockall=EPERM
# expect: lock_future=EPERM mappings=ENOMEM|allowed
# without seccomp: mlock=ENOMEM|EPERM mlockall=ENOMEM|EPERM lock_future=EAGAIN|ENOMEM|EPERM
# limits: memory=64M timeout=15s
# works: plain
import ctypes
import mmap
import os

PRIVATE, SHARED, ANONYMOUS = mmap.MAP_PRIVATE, mmap.MAP_SHARED, mmap.MAP_ANONYMOUS
POPULATE, HUGETLB = 0x8000, 0x40000
size = 160 << 20
_libc.mmap.restype = ctypes.c_void_p
_libc.mlock.argtypes = [ctypes.c_char_p, ctypes.c_size_t]


def libc(name, *arguments):
    if getattr(_libc, name)(*arguments) < 0:
        raise OSError(ctypes.get_errno(), name)


def many():
    """Neighbours of different protection stay separate mappings: 70000 of them."""
    for count in range(35000):
        for protection in (mmap.PROT_READ, 0):
            where = _libc.mmap(None, ctypes.c_size_t(4096), protection, PRIVATE | ANONYMOUS, -1,
                               ctypes.c_long(0))
            if where in (None, ctypes.c_size_t(-1).value):
                raise OSError(ctypes.get_errno(), "mmap")


def populate():
    mmap.mmap(-1, size, flags=PRIVATE | ANONYMOUS | POPULATE)


attempt("populate", populate)
attempt("huge_pages", lambda: mmap.mmap(-1, size, flags=SHARED | ANONYMOUS | HUGETLB))
attempt("mlock", libc, "mlock", b"x" * (1 << 20), 1 << 20)
attempt("mlockall", libc, "mlockall", 1)
child = os.fork()
if child == 0:  # not in this process: no memory would be left for the interpreter
    attempt("lock_future", lambda: (libc("mlockall", 2), mmap.mmap(-1, 1 << 20)))
    os._exit(0)
os.waitpid(child, 0)
try:
    many()
    met("mappings", "allowed")  # where vm.max_map_count is raised
except OSError as error:
    met("mappings", _errno.errorcode[error.errno])
