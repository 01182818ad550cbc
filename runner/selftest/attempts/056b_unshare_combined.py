# attempt: 56 make several namespaces at once, with and without a user namespace
# SPDX-License-Identifier: MIT
# group: privileges
# critical: yes
# expect: with_user=EPERM without_user=EPERM user_and_mount=EPERM user_and_time=EPERM
# without seccomp: with_user=ENOSPC without_user=EPERM|ENOSPC user_and_mount=ENOSPC user_and_time=ENOSPC
# works: plain
import os

UNSHARE = 272 if os.uname().machine == "x86_64" else 97
USER, MOUNT, TIME = 0x10000000, 0x20000, 0x80
OTHERS = 0x4000000 | 0x8000000 | 0x20000000 | 0x40000000 | 0x2000000 | MOUNT | TIME


def in_child(label, flags):
    """Each from a process that has got nothing yet."""
    pid = os.fork()
    if pid == 0:
        attempt(label, syscall, UNSHARE, flags)
        os._exit(0)
    os.waitpid(pid, 0)


in_child("with_user", USER | OTHERS)
in_child("without_user", OTHERS)
in_child("user_and_mount", USER | MOUNT)
in_child("user_and_time", USER | TIME)
