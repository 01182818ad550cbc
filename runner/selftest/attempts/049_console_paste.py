# attempt: 49 paste into a virtual console (TIOCLINUX)
# SPDX-License-Identifier: MIT
# group: devices
# expect: stdin=ENOTTY stdout=ENOTTY stderr=ENOTTY
# works: never it needs a virtual console, which no terminal window or service has
import fcntl

TIOCLINUX = 0x541C

# Sub-code 6 only asks for the shift state.
for number, label in enumerate(("stdin", "stdout", "stderr")):
    attempt(label, fcntl.ioctl, number, TIOCLINUX, b"\x06")
