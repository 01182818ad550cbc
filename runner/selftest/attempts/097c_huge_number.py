# attempt: 97 stay inside one call in C: a power with millions of digits
# SPDX-License-Identifier: MIT
# group: processes
# expect: power=begun
# outcome: timeout|memory_limit
# limits: timeout=2s
# works: never the deadline is kept outside
import os
import signal
import sys
import time

main = os.getpid()
if os.fork() == 0:  # without a deadline outside, this one ends it all
    time.sleep(15)
    os.kill(main, signal.SIGKILL)
    os._exit(0)
if hasattr(sys, "set_int_max_str_digits"):
    sys.set_int_max_str_digits(0)
signal.signal(signal.SIGTERM, signal.SIG_IGN)
met("power", "begun")
str(3 ** 10 ** 8)
