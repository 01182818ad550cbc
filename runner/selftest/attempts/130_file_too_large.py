# attempt: 130 make a file larger than allowed
# SPDX-License-Identifier: MIT
# group: exhaustion
# expect: truncate=EFBIG write_far=EFBIG fallocate=EFBIG child=SIGXFSZ
# limits: work=16M timeout=10s
# works: plain
import os
import signal
import tempfile

file = tempfile.TemporaryFile(dir="/tmp", buffering=0)
attempt("truncate", os.ftruncate, file.fileno(), 17 << 20)
attempt("write_far", os.pwrite, file.fileno(), b"x", 17 << 20)
attempt("fallocate", os.posix_fallocate, file.fileno(), 0, 17 << 20)
child = os.fork()
if child == 0:
    signal.signal(signal.SIGXFSZ, signal.SIG_DFL)  # as subprocess does for what it starts
    os.ftruncate(file.fileno(), 17 << 20)
    os._exit(0)
status = os.waitpid(child, 0)[1]
met("child", signal.Signals(os.WTERMSIG(status)).name if os.WIFSIGNALED(status) else "worked")
