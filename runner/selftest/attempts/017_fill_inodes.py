# attempt: 17 fill the working directory with empty files
# SPDX-License-Identifier: MIT
# group: exhaustion
# expect: files=ENOSPC directories=ENOSPC links=ENOSPC
# limits: work=16M
# works: without inode_limits
import os
import tempfile

COUNT = 20000


def flood(make):
    with tempfile.TemporaryDirectory(dir="." if os.access(".", os.W_OK) else None) as place:
        for number in range(COUNT):
            make(os.path.join(place, str(number)))


attempt("files", flood, lambda path: os.close(os.open(path, os.O_CREAT | os.O_WRONLY)))
attempt("directories", flood, os.mkdir)
attempt("links", flood, lambda path: os.symlink("x" * 100, path))
