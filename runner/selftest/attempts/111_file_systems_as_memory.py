# attempt: 111 fill /work, /tmp and /dev/shm at the same time with more than the memory limit
# SPDX-License-Identifier: MIT
# group: exhaustion
# expect: files_as_memory=begins
# outcome: memory_limit
# limits: memory=64M work=64M timeout=10s
# works: plain
import os
import tempfile
import time

met("files_as_memory", "begins")
piece = b"x" * (4 << 20)
kept = []
for directory in ("/tmp", "/dev/shm", "/work"):
    if not os.access(directory, os.W_OK):
        continue  # outside of a sandbox there is no /work
    file = tempfile.TemporaryFile(dir=directory)
    kept.append(file)
    for _ in range(12):
        file.write(piece)
    file.flush()
time.sleep(1)
met("files_as_memory", "worked")
