# attempt: 163 fill the machine's log by crashes and by refused system calls
# SPDX-License-Identifier: MIT
# group: ipc
# expect: crashes=allowed refused=EPERM unknown=ENOSYS log=ENOENT
# limits: processes=16 timeout=15s
# works: never the kernel limits the rate; that nothing of it reaches a log is seen on the host
import ctypes
import os

died = 0
for _ in range(20):
    child = os.fork()
    if child == 0:
        ctypes.string_at(8)
        os._exit(0)
    died += os.WIFSIGNALED(os.waitpid(child, 0)[1])
met("crashes", "allowed" if died == 20 else "odd")
ACCT = {"x86_64": 163, "aarch64": 89}[os.uname().machine]


def storm(number):
    """A few thousand refusals; the last one is told."""
    for _ in range(3000):
        try:
            syscall(number, b"/work/no-such-file")
        except OSError as error:
            last = error
    raise last


attempt("refused", storm, ACCT)
attempt("unknown", storm, 9999)
attempt("log", os.open, "/dev/kmsg", os.O_WRONLY)
