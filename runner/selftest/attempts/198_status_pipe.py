# attempt: 198 guess the pipe by which the first process tells how a run ended
# SPDX-License-Identifier: MIT
# group: control
# expect: listing=ENOENT|EACCES|EPERM pipes=ENOENT|EACCES|EPERM details=ENOENT|EACCES|EPERM
# expect: by_task=ENOENT|EACCES|EPERM taken=EPERM|ENOSYS
# works: never the first process is not dumpable, whatever is turned off
import os


def pipes(folder):
    """The errno that all of them gave; a pipe that opens is an escape."""
    error = None
    for number in range(32):
        try:
            os.close(os.open("%s/%d" % (folder, number), os.O_WRONLY | os.O_NONBLOCK))
            return
        except OSError as refused:
            error = refused
    raise error


def take():
    """The descriptor itself, by the first process's pidfd."""
    for number in range(32):
        syscall(438, syscall(434, 1, 0), number, 0)


attempt("listing", os.listdir, "/proc/1/fd")
attempt("pipes", pipes, "/proc/1/fd")
attempt("by_task", pipes, "/proc/1/task/1/fd")
attempt("details", os.listdir, "/proc/1/fdinfo")
attempt("taken", take)
