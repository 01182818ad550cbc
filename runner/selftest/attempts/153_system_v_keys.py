# attempt: 153 meet other sandboxes by the keys of System V shared memory, semaphores and messages
# SPDX-License-Identifier: MIT
# group: ipc
# expect: shared_memory=EPERM semaphores=EPERM messages=EPERM attach=EPERM list=EPERM
# expect: existing=EPERM table=ENOENT
# without seccomp: shared_memory=worked semaphores=worked messages=worked attach=EINVAL
# without seccomp: list=own_namespace existing=ENOENT
# works: plain
import ctypes
import os

KEY, CREATE, REMOVE, SHM_INFO = 0x53616e64, 0o1600, 0, 14
_libc.shmat.restype = ctypes.c_void_p
_libc.shmat.argtypes = [ctypes.c_int, ctypes.c_void_p, ctypes.c_int]


def libc(name, *arguments):
    result = getattr(_libc, name)(*arguments)
    if result in (-1, ctypes.c_size_t(-1).value):
        raise OSError(ctypes.get_errno(), name)
    return result


def shared_memory():
    number = libc("shmget", KEY, 4096, CREATE)
    where = libc("shmat", number, None, 0)
    ctypes.memset(where, 1, 4096)
    libc("shmctl", number, REMOVE, None)


def list_all():
    room = ctypes.create_string_buffer(256)
    segments = libc("shmctl", 0, SHM_INFO, room)
    met("list", "own_namespace" if segments <= 1 else "worked")


attempt("existing", libc, "shmget", KEY, 0, 0)
attempt("shared_memory", shared_memory)
attempt("semaphores", lambda: libc("semctl", libc("semget", KEY, 1, CREATE), 0, REMOVE))
attempt("messages", lambda: libc("msgctl", libc("msgget", KEY, CREATE), REMOVE, None))
attempt("attach", libc, "shmat", 4000, None, 0)
try:
    list_all()
except OSError as error:
    met("list", _errno.errorcode[error.errno])
attempt("table", open, "/proc/sysvipc/shm")
