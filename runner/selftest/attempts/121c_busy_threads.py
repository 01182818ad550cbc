# attempt: 121 sixty busy threads, to be on the processor when the time is over
# SPDX-License-Identifier: MIT
# group: exhaustion
# expect: busy=begins
# outcome: timeout
# limits: processes=64 timeout=2s
# works: plain
import hashlib
import threading
import time

met("busy", "begins")
stop = time.monotonic() + 4


def burn():
    """Outside of the interpreter's lock, so all of them run at once."""
    while time.monotonic() < stop:
        hashlib.pbkdf2_hmac("sha256", b"x", b"y", 100000)


threads = [threading.Thread(target=burn) for _ in range(60)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
met("busy", "worked")
