# attempt: 114 watch the same descriptors in very many epoll sets, for kernel memory and a slow exit
# SPDX-License-Identifier: MIT
# group: exhaustion
# expect: watches=allowed|ENOSPC exit=prompt
# limits: open_files=1024 processes=16 timeout=15s
# works: never the kernel grants each user a number of watches; only a memory cgroup says less
import os
import select
import time

reader, writer = os.pipe()
child = os.fork()
if child == 0:
    targets = [os.dup(reader) for _ in range(300)]
    kept = []
    try:
        for _ in range(300):  # 90000 watches
            kept.append(select.epoll())
            for target in targets:
                kept[-1].register(target, select.EPOLLIN)
        os.write(writer, b"1")
    except OSError as error:
        os.write(writer, _errno.errorcode[error.errno].encode())
    os._exit(0)
os.close(writer)
told = os.read(reader, 64).decode()
start = time.monotonic()
os.waitpid(child, 0)
met("watches", "allowed" if told == "1" else told)
met("exit", "prompt" if time.monotonic() - start < 2 else "worked")
