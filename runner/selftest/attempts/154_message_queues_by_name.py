# attempt: 154 meet other sandboxes by the name of a POSIX message queue
# SPDX-License-Identifier: MIT
# group: ipc
# expect: create=EPERM existing=EPERM remove=EPERM directory=ENOENT
# without seccomp: create=EMFILE|ENOSYS existing=ENOENT|ENOSYS remove=ENOENT|ENOSYS
# works: plain
import os

OPEN, UNLINK = {"x86_64": (240, 241), "aarch64": (180, 181)}[os.uname().machine]


def create():
    queue = syscall(OPEN, b"selftest-154", os.O_CREAT | os.O_RDWR, 0o600, None)
    os.close(queue)
    syscall(UNLINK, b"selftest-154")


attempt("create", create)
attempt("existing", syscall, OPEN, b"selftest-other", os.O_RDWR, 0, None)
attempt("remove", syscall, UNLINK, b"selftest-other")
attempt("directory", os.listdir, "/dev/mqueue")
