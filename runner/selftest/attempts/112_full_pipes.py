# attempt: 112 keep kernel memory in full pipes
# SPDX-License-Identifier: MIT
# group: exhaustion
# expect: pipes=EMFILE larger_than_allowed=EPERM kernel_memory=bounded
# limits: open_files=256 timeout=15s
# works: plain
import fcntl
import os

F_SETPIPE_SZ = 1031
pipes = []


def many():
    for _ in range(150):
        pipes.append(os.pipe())


attempt("pipes", many)
attempt("larger_than_allowed", fcntl.fcntl, pipes[0][1], F_SETPIPE_SZ, (1 << 20) + 1)
total = 0
for _, end in pipes:
    try:
        fcntl.fcntl(end, F_SETPIPE_SZ, 1 << 20)
    except OSError:
        pass  # the kernel grants one user 64 MiB in pipes; then they stay small
    os.set_blocking(end, False)
    try:
        while True:
            total += os.write(end, b"x" * 65536)
    except BlockingIOError:
        pass
met("kernel_memory", "bounded" if total < 80 << 20 else "worked")
