# attempt: 91 have the host write all its disks, again and again
# SPDX-License-Identifier: MIT
# group: calls
# expect: one_disk=no_effect|EPERM storm=quick
# works: plain
import os
import time

SYNCFS = 306 if os.uname().machine == "x86_64" else 267


def reaches_kernel():
    """The kernel has an error for this descriptor; the filter has the same answer for every one."""
    try:
        syscall(SYNCFS, 999)
        met("one_disk", "no_effect")
    except OSError as error:
        met("one_disk", "worked" if error.errno == 9 else "EPERM")


reaches_kernel()
began = time.monotonic()
for _ in range(100):
    os.sync()
    if time.monotonic() - began > 5:
        break
met("storm", "quick" if time.monotonic() - began < 5 else "slow")
