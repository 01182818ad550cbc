# attempt: 199 keep the first process busy with refused calls and dead children
# SPDX-License-Identifier: MIT
# group: control
# expect: refused=EPERM children=ended after=alive
# outcome: exited:6
# limits: timeout=15s processes=32
# works: never it is a question of time, and what ends in time has not succeeded
import os
import time

SETHOSTNAME = 170 if os.uname().machine == "x86_64" else 161
answers = set()
end = time.monotonic() + 2
orphans = os.fork()
if orphans == 0:
    while time.monotonic() < end:  # whose children are the first process's to clear away
        if os.fork() == 0:
            if os.fork() == 0:
                os._exit(0)
            os._exit(0)
        os.wait()
    os._exit(0)
children = [orphans]
for _ in range(4):
    child = os.fork()
    if child == 0:
        break
    children.append(child)
while time.monotonic() < end:
    try:
        syscall(SETHOSTNAME, None, -1)  # what the kernel itself would not take
    except OSError as error:
        answers.add(error.errno)
if child == 0:
    os._exit(0)
met("refused", "EPERM" if answers == {1} else "other")
for pid in children:
    os.waitpid(pid, 0)
met("children", "ended")
met("after", "alive" if os.getppid() == 1 else "gone")
os._exit(6)
