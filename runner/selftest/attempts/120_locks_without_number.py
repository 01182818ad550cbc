# attempt: 120 hold very many byte-range locks, for kernel memory and a slow exit
# SPDX-License-Identifier: MIT
# group: exhaustion
# expect: locks=allowed exit=prompt
# limits: memory=256M timeout=15s
# works: never the kernel has no limit of locks; only time and a memory cgroup bound them
import fcntl
import os
import tempfile
import time

reader, writer = os.pipe()
child = os.fork()
if child == 0:
    kept = [tempfile.TemporaryFile(dir="/tmp") for _ in range(200)]
    for file in kept:  # a search of all that a file has comes first, so many files are faster
        for number in range(500):
            fcntl.lockf(file, fcntl.LOCK_EX, 1, number * 2)
    os.write(writer, b"1")
    os._exit(0)
os.close(writer)
held = os.read(reader, 1)
start = time.monotonic()
os.waitpid(child, 0)
met("locks", "allowed" if held else "stopped")
met("exit", "prompt" if time.monotonic() - start < 2 else "worked")
