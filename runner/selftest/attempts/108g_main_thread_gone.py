# attempt: 108 end the main thread alone, and exit by another
# SPDX-License-Identifier: MIT
# group: processes
# expect: main=gone
# outcome: exited:5
# limits: timeout=8s
# works: never it is about how an end is told
import ctypes
import os
import threading
import time


def end():
    time.sleep(0.3)
    met("main", "gone")
    os._exit(5)


threading.Thread(target=end).start()
ctypes.CDLL(None).syscall(60 if os.uname().machine == "x86_64" else 93, 0)
