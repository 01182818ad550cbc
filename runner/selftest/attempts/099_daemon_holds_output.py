# attempt: 99 leave a daemon behind that keeps the output open
# SPDX-License-Identifier: MIT
# group: processes
# expect: main=ended
# outcome: exited
# limits: timeout=6s
# works: never the end of the first process ends all
import os
import signal
import time

ready, told = os.pipe()
if os.fork() == 0:
    os.setsid()
    for number in (signal.SIGHUP, signal.SIGTERM, signal.SIGPIPE):
        signal.signal(number, signal.SIG_IGN)
    if os.fork() != 0:
        os._exit(0)
    os.write(told, b"x")
    end = time.monotonic() + 12
    while time.monotonic() < end:
        time.sleep(0.1)
        os.write(2, b".")
    os._exit(0)
os.read(ready, 1)
met("main", "ended")
os._exit(0)
