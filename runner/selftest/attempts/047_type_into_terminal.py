# attempt: 47 type into the terminal of the host (TIOCSTI)
# SPDX-License-Identifier: MIT
# group: devices
# expect: stdin=ENOTTY stdout=ENOTTY stderr=ENOTTY terminals=none
# works: never no terminal is handed in at all, and kernels since 6.2 may refuse the request everywhere
import fcntl
import os

TIOCSTI = 0x5412

# Nothing but a newline, should it ever arrive.
for number, label in enumerate(("stdin", "stdout", "stderr")):
    attempt(label, fcntl.ioctl, number, TIOCSTI, b"\n")
met("terminals", "none" if not any(os.isatty(n) for n in range(3)) else "worked")
