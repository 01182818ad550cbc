# attempt: 90 calls that nobody uses any more
# SPDX-License-Identifier: MIT
# group: calls
# expect: ustat=EPERM|ENOSYS sysfs=EPERM|ENOSYS cookie=EPERM|ENOSYS uselib=EPERM|ENOSYS
# expect: nfsservctl=EPERM|ENOSYS sysctl=EPERM|ENOSYS
# expect: create_module=EPERM|ENOSYS getpmsg=EPERM|ENOSYS
# expect: afs=EPERM|ENOSYS vserver=EPERM|ENOSYS
# works: plain
import ctypes
import os

X86 = os.uname().machine == "x86_64"
buffer = ctypes.create_string_buffer(256)


def old(label, x86, arm, *arguments):
    """Most exist on x86-64 alone."""
    attempt(label, syscall, x86 if X86 else arm, *arguments)


disk = os.stat("/").st_dev
number = os.minor(disk) & 0xFF | os.major(disk) << 8 | (os.minor(disk) & ~0xFF) << 12
old("ustat", 136, 9999, number, buffer)
old("sysfs", 139, 9999, 3)
old("cookie", 212, 18, 0, buffer, 256)
old("uselib", 134, 9999, b"/no/such/library")
old("nfsservctl", 180, 42, 0, None, None)
old("sysctl", 156, 9999, buffer)
old("create_module", 174, 9999, b"none", 4096)
old("getpmsg", 181, 9999, 0, None, None, None, None)
old("afs", 183, 9999, 0, 0, 0, 0, 0)
old("vserver", 236, 9999, 0, 0, 0, 0, 0)
