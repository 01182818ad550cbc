# attempt: 91 have the host's disk flushed by way of a file of the image
# SPDX-License-Identifier: MIT
# group: calls
# expect: fsync=no_effect|EPERM fdatasync=no_effect|EPERM range=no_effect|EPERM
# expect: mapping=no_effect|EPERM
# works: plain
import os

X86 = os.uname().machine == "x86_64"


def reaches_kernel(label, number, *arguments):
    """fsync of a read-only file that nobody has changed still flushes the disk, thousands of times
    a second. Here it is asked for what does not exist: only the kernel has an error for that."""
    try:
        syscall(number, *arguments)
        met(label, "no_effect")
    except OSError as error:
        met(label, "EPERM" if error.errno == 1 else "worked")


reaches_kernel("fsync", 74 if X86 else 82, 999)
reaches_kernel("fdatasync", 75 if X86 else 83, 999)
reaches_kernel("range", 277 if X86 else 84, 999, 0, 0, 7)
reaches_kernel("mapping", 26 if X86 else 227, 4096, 4096, 4)  # msync of a page that is not there
