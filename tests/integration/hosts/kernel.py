# System calls that Python 3.11 has no function for.
# SPDX-License-Identifier: MIT
import ctypes
import os

_libc = ctypes.CDLL(None, use_errno=True)

CLONE_NEWNS = 0x00020000
CLONE_NEWCGROUP = 0x02000000
CLONE_NEWUSER = 0x10000000
CLONE_NEWPID = 0x20000000

MS_RDONLY = 1
MS_NOSUID = 2
MS_NODEV = 4
MS_NOEXEC = 8
MS_REMOUNT = 32
MS_BIND = 4096
MS_REC = 16384
MS_PRIVATE = 1 << 18
MNT_DETACH = 2

PR_SET_PDEATHSIG = 1
PR_CAPBSET_DROP = 24
PR_SET_CHILD_SUBREAPER = 36
PR_SET_NO_NEW_PRIVS = 38
PR_SET_MDWE = 65

CAP_SETGID = 6
CAP_SETUID = 7
CAP_SYS_ADMIN = 21


def _check(result: int, doing: str) -> int:
    if result < 0:
        error = ctypes.get_errno()
        raise OSError(error, f"{doing}: {os.strerror(error)}")
    return result


def unshare(flags: int) -> None:
    _check(_libc.unshare(flags), "unshare")


def mount(source: str, target: str, kind: str | None = None, flags: int = 0,
          data: str | None = None) -> None:
    _check(_libc.mount(source.encode(), target.encode(), kind.encode() if kind else None,
                       ctypes.c_ulong(flags), data.encode() if data else None),
           f"mount on {target}")


def unmount(target: str) -> None:
    _check(_libc.umount2(target.encode(), MNT_DETACH), f"unmount {target}")


def prctl(option: int, *arguments: object) -> int:
    padded = [*arguments, 0, 0, 0, 0][:4]
    numbers = [ctypes.c_ulong(a) if isinstance(a, int) else a for a in padded]
    return _check(_libc.prctl(option, *numbers), f"prctl {option}")


def drop_bounding_set(capabilities: range | list[int]) -> None:
    """What root of this user namespace gets at its next exec is without these."""
    for number in capabilities:
        try:
            prctl(PR_CAPBSET_DROP, number)
        except OSError:
            if number < 32:
                raise  # the kernel knows some 40; the number of the last one differs


def write(path: str, text: str) -> None:
    descriptor = os.open(path, os.O_WRONLY)
    try:
        os.write(descriptor, text.encode())
    finally:
        os.close(descriptor)
