# attempt: 96 be in the midst of refused calls, in many processes, when the deadline comes
# SPDX-License-Identifier: MIT
# group: processes
# expect: first=EPERM
# outcome: timeout
# limits: timeout=2s
# works: never the deadline is kept outside
import os
import time

SETHOSTNAME = 170 if os.uname().machine == "x86_64" else 161
end = time.monotonic() + 12


def refused():
    syscall(SETHOSTNAME, None, -1)  # what the kernel itself would not take


attempt("first", refused)
for _ in range(4):
    if os.fork() == 0:
        break
while time.monotonic() < end:
    try:
        refused()
    except OSError:
        pass
os._exit(0)
