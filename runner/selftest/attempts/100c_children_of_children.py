# attempt: 100 two children for every child, as the shell's bomb does
# SPDX-License-Identifier: MIT
# group: processes
# expect: tree=EAGAIN
# limits: processes=32
# works: plain
import os
import signal
import time

failed, told = os.pipe()


def tree(depth):
    """127 processes, when nothing stops them; each of them lasts a second."""
    for _ in range(2 if depth else 0):
        try:
            if os.fork() == 0:
                tree(depth - 1)
                return
        except OSError as error:
            os.write(told, b"%d " % error.errno)
    time.sleep(1)


signal.signal(signal.SIGCHLD, signal.SIG_IGN)
main = os.getpid()
tree(6)
if os.getpid() != main:
    os._exit(0)
time.sleep(1)
os.set_blocking(failed, False)
try:
    errors = set(os.read(failed, 4096).split())
    met("tree", "EAGAIN" if errors == {b"11"} else "mixed")
except BlockingIOError:
    met("tree", "worked")
