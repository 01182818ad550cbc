# attempt: 108 let another child of the first process end first, and well (CLONE_PARENT)
# SPDX-License-Identifier: MIT
# group: processes
# expect: sibling=ended
# outcome: exited:7
# works: never it is about how an end is told
import os
import signal
import time

CLONE = 56 if os.uname().machine == "x86_64" else 220
PARENT = 0x8000

for number in range(3):
    if syscall(CLONE, PARENT | signal.SIGCHLD, None, None, None, None) == 0:
        os._exit(0)
if syscall(CLONE, PARENT | signal.SIGCHLD, None, None, None, None) == 0:
    os.kill(os.getpid(), signal.SIGSEGV)
time.sleep(0.3)
met("sibling", "ended")
os._exit(7)
