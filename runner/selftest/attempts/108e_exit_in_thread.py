# attempt: 108 end the whole program from a thread
# SPDX-License-Identifier: MIT
# group: processes
# expect: thread=ends
# outcome: exited:7
# works: never it is about how an end is told
import os
import threading
import time


def end():
    met("thread", "ends")
    os._exit(7)


threading.Thread(target=end).start()
time.sleep(15)
