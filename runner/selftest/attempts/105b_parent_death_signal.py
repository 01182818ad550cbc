# attempt: 105 play with the signal that a parent's death sends
# SPDX-License-Identifier: MIT
# group: processes
# expect: every_signal=allowed adopted=yes after=alive
# works: never the signal reaches the program itself alone
import os
import time

PRCTL = 157 if os.uname().machine == "x86_64" else 167
SET_SIGNAL, SUBREAPER = 1, 36

for number in list(range(1, 32)) + [0]:
    syscall(PRCTL, SET_SIGNAL, number, 0, 0, 0)
met("every_signal", "allowed")
syscall(PRCTL, SUBREAPER, 1, 0, 0, 0)
reader, writer = os.pipe()
if os.fork() == 0:
    if os.fork() == 0:
        syscall(PRCTL, SET_SIGNAL, 0, 0, 0, 0)
        time.sleep(0.3)
        os.write(writer, b"%d" % os.getppid())
    os._exit(0)
adopter = int(os.read(reader, 16))
met("adopted", "yes" if adopter == os.getpid() else "no")
syscall(PRCTL, SUBREAPER, 0, 0, 0, 0)
met("after", "alive")
