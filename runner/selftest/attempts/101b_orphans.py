# attempt: 101 leave dead children to the first process, faster than it may clear them away
# SPDX-License-Identifier: MIT
# group: processes
# expect: orphans=cleared
# limits: processes=32
# works: never the first process of a run always clears them away
import os
import time


def orphan():
    """A child whose child is left to the first process."""
    pid = os.fork()
    if pid == 0:
        try:
            os.fork()
        finally:
            os._exit(0)
    os.waitpid(pid, 0)


refused = 0
for _ in range(200):
    try:
        orphan()
    except BlockingIOError:
        refused += 1
        time.sleep(0.05)
met("orphans", "cleared" if refused < 100 else "kept")
