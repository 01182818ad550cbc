# attempt: 41 follow the links of the sandbox's init
# SPDX-License-Identifier: MIT
# group: proc
# expect: mnt=EPERM|ENOENT|EACCES user=EPERM|ENOENT|EACCES pid=EPERM|ENOENT|EACCES root=EPERM|ENOENT|EACCES
# expect: cwd=EPERM|ENOENT|EACCES exe=EPERM|ENOENT|EACCES fd=EPERM|ENOENT|EACCES fd_0=EPERM|ENOENT|EACCES
# expect: environ=EPERM|ENOENT|EACCES maps=EPERM|ENOENT|EACCES task_root=EPERM|ENOENT|EACCES syscall=EPERM|ENOENT|EACCES
# works: never the kernel lets only a process that may trace init do so, whichever switch is off
import os

for kind in ("mnt", "user", "pid"):
    attempt(kind, os.readlink, "/proc/1/ns/" + kind)
attempt("root", os.listdir, "/proc/1/root/")
attempt("cwd", os.readlink, "/proc/1/cwd")
attempt("exe", os.readlink, "/proc/1/exe")
attempt("fd", os.listdir, "/proc/1/fd")
attempt("fd_0", os.readlink, "/proc/1/fd/0")
attempt("environ", lambda: open("/proc/1/environ").read())
attempt("maps", lambda: open("/proc/1/maps").read())
attempt("task_root", os.readlink, "/proc/1/task/1/root")
attempt("syscall", lambda: open("/proc/1/syscall").read())
