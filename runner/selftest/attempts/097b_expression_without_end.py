# attempt: 97 stay inside one call in C, where no handler of Python runs: a regular expression
# SPDX-License-Identifier: MIT
# group: processes
# expect: search=begun
# outcome: timeout
# limits: timeout=2s
# works: never the deadline is kept outside
import os
import re
import signal
import time

main = os.getpid()
if os.fork() == 0:  # without a deadline outside, this one ends it all
    time.sleep(15)
    os.kill(main, signal.SIGKILL)
    os._exit(0)
signal.signal(signal.SIGTERM, lambda *_: None)
signal.signal(signal.SIGALRM, lambda *_: None)
signal.alarm(1)
met("search", "begun")
re.match(r"(a+)+$", "a" * 60 + "b")
