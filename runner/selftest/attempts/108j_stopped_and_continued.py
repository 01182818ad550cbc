# attempt: 108 be stopped and continued, which is no end
# SPDX-License-Identifier: MIT
# group: processes
# expect: stopped=continued
# outcome: exited:3
# works: never it is about how an end is told
import os
import signal
import time

main = os.getpid()
if os.fork() == 0:
    for _ in range(5):
        time.sleep(0.1)
        os.kill(main, signal.SIGCONT)
    os._exit(0)
for _ in range(2):
    os.kill(main, signal.SIGSTOP)
met("stopped", "continued")
os._exit(3)
