# attempt: 24 touch pages of a mapped file for which there is no room
# SPDX-License-Identifier: MIT
# group: exhaustion
# expect: touched=SIGBUS survivor=allowed
# limits: work=16M
# works: plain
import mmap
import os
import signal
import tempfile

SIZE = 12 << 20

with tempfile.TemporaryDirectory(dir="." if os.access(".", os.W_OK) else None) as place:
    files = [os.open(os.path.join(place, str(n)), os.O_RDWR | os.O_CREAT, 0o600) for n in range(3)]
    child = os.fork()
    if child == 0:
        for file in files:
            # Sparse: the size is there at once, the pages only when they are touched.
            os.ftruncate(file, SIZE)
            view = mmap.mmap(file, SIZE, mmap.MAP_SHARED)
            for offset in range(0, SIZE, 4096):
                view[offset] = 1
        os._exit(0)
    status = os.waitpid(child, 0)[1]
    met("touched", signal.Signals(os.WTERMSIG(status)).name if os.WIFSIGNALED(status) else "worked")
    met("survivor", "allowed")
