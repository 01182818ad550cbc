# attempt: 17 fill the working directory with hard links to one file
# SPDX-License-Identifier: MIT
# group: exhaustion
# expect: hard_links=ENOSPC
# limits: work=16M
# works: without inode_limits
import os
import tempfile


def flood():
    """A name takes kernel memory too, though it is no new file."""
    with tempfile.TemporaryDirectory(dir="." if os.access(".", os.W_OK) else None) as place:
        first = os.path.join(place, "first")
        open(first, "w").close()
        for number in range(20000):
            os.link(first, os.path.join(place, "l" * 200 + str(number)))


attempt("hard_links", flood)
