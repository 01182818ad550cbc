# attempt: 27 reach the magic system request
# SPDX-License-Identifier: MIT
# group: proc
# expect: trigger=ENOENT mask=ENOENT
# works: vm only the machine's root can open it; nothing is ever written
import os

# Opened and closed: not a byte is written, whatever the answer.
attempt("trigger", lambda: os.close(os.open("/proc/sysrq-trigger", os.O_WRONLY)))
attempt("mask", lambda: os.close(os.open("/proc/sys/kernel/sysrq", os.O_WRONLY)))
