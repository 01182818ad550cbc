# attempt: 76 execute a descriptor instead of a name (execveat)
# SPDX-License-Identifier: MIT
# group: privileges
# expect: written=EACCES unnamed=EACCES of_memory=ENOSYS|EACCES
# works: without no_exec,landlock
import ctypes
import os
import shutil
import sys
import tempfile

EXECVEAT = 322 if os.uname().machine == "x86_64" else 281
MEMFD = 319 if os.uname().machine == "x86_64" else 279
EMPTY_PATH = 0x1000
PROGRAM = os.path.realpath(shutil.which("true") or sys.executable)
words = (ctypes.c_char_p * 2)(b"true", None)
none = (ctypes.c_char_p * 1)(None)


def execute(fd):
    """In a child, which is that program afterwards or tells by its code what stopped it."""
    child = os.fork()
    if child == 0:
        os.dup2(os.open("/dev/null", os.O_RDONLY), 0)
        try:
            syscall(EXECVEAT, fd, b"", words, none, EMPTY_PATH)
        except OSError as error:
            os._exit(error.errno)
    code = os.WEXITSTATUS(os.waitpid(child, 0)[1])
    if code != 0:
        raise OSError(code, "execveat")


def filled(fd):
    with open(PROGRAM, "rb") as source:
        while os.sendfile(fd, source.fileno(), None, 1 << 20):
            pass
    reader = os.open("/proc/self/fd/%d" % fd, os.O_RDONLY)
    os.close(fd)
    return reader


def written():
    fd, name = tempfile.mkstemp()
    os.chmod(name, 0o755)
    execute(filled(fd))
    os.remove(name)


attempt("written", written)
attempt("unnamed", lambda: execute(filled(os.open("/tmp", os.O_TMPFILE | os.O_RDWR, 0o755))))
attempt("of_memory", lambda: execute(filled(syscall(MEMFD, b"program", 0))))
