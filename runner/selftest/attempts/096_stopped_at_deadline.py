# attempt: 96 be stopped, with all children, when the deadline comes
# SPDX-License-Identifier: MIT
# group: processes
# expect: children=stopped
# outcome: timeout
# limits: timeout=2s
# works: never the deadline is kept outside
import os
import signal
import time

main = os.getpid()
children = []
for _ in range(10):
    pid = os.fork()
    if pid == 0:
        os.kill(os.getpid(), signal.SIGSTOP)
        os._exit(0)
    children.append(pid)
for pid in children:
    os.waitpid(pid, os.WUNTRACED)
met("children", "stopped")
if os.fork() == 0:  # without a deadline outside, this one ends it all
    time.sleep(15)
    for pid in [*children, main]:
        os.kill(pid, signal.SIGKILL)
    os._exit(0)
os.kill(main, signal.SIGSTOP)
