# attempt: 17 fill /tmp and /dev/shm with empty files
# SPDX-License-Identifier: MIT
# group: exhaustion
# expect: tmp=ENOSPC shm=ENOSPC
# works: without inode_limits
import os
import tempfile


def flood(where):
    with tempfile.TemporaryDirectory(dir=where) as place:
        for number in range(20000):
            os.close(os.open(os.path.join(place, str(number)), os.O_CREAT | os.O_WRONLY))


attempt("tmp", flood, "/tmp")
attempt("shm", flood, "/dev/shm")
