# seccomp filters that refuse single system calls, put together by hand: as a container engine's
# profile, or as a kernel that does not have the call.
# SPDX-License-Identifier: MIT
import ctypes
import dataclasses
import errno
import platform
import struct

import kernel

# The numbers of calls from before the two architectures were numbered alike.
_OLD = {
    "x86_64": {"write": 1, "clone": 56, "pivot_root": 155, "prctl": 157, "mount": 165,
               "umount2": 166, "sethostname": 170, "setdomainname": 171, "keyctl": 250,
               "unshare": 272, "setns": 308, "seccomp": 317, "memfd_create": 319},
    "aarch64": {"write": 64, "clone": 220, "pivot_root": 41, "prctl": 167, "mount": 40,
                "umount2": 39, "sethostname": 161, "setdomainname": 162, "keyctl": 219,
                "unshare": 97, "setns": 268, "seccomp": 277, "memfd_create": 279},
}
_NEW = {"pidfd_send_signal": 424, "open_tree": 428, "move_mount": 429, "fsopen": 430,
        "fsconfig": 431, "fsmount": 432, "pidfd_open": 434, "clone3": 435, "close_range": 436,
        "openat2": 437, "pidfd_getfd": 438, "mount_setattr": 442, "landlock_create_ruleset": 444,
        "landlock_add_rule": 445, "landlock_restrict_self": 446}

_LOAD, _EQUAL, _ANY_BIT, _RETURN = 0x20, 0x15, 0x45, 0x06  # of struct sock_filter
_ALLOW, _ERRNO = 0x7FFF0000, 0x00050000
_PR_SET_SECCOMP, _MODE_FILTER = 22, 2


@dataclasses.dataclass(frozen=True)
class Refusal:
    """A call that is refused: always, or where an argument has any of the bits, or is the value."""
    name: str
    error: int
    argument: int = 0
    any_bit: int = 0
    value: int | None = None


def refusals(error: int, *names: str) -> list[Refusal]:
    return [Refusal(name, error) for name in names]


def supported() -> bool:
    return platform.machine() in _OLD


def _number(name: str) -> int:
    return {**_OLD[platform.machine()], **_NEW}[name]


def _instruction(code: int, operand: int, if_true: int = 0, if_false: int = 0) -> bytes:
    return struct.pack("=HBBI", code, if_true, if_false, operand)


def _rule(refusal: Refusal) -> bytes:
    answer = _instruction(_RETURN, _ERRNO | refusal.error)
    low_word = _instruction(_LOAD, 16 + 8 * refusal.argument)
    if refusal.any_bit:
        body = low_word + _instruction(_ANY_BIT, refusal.any_bit, 0, 1) + answer
    elif refusal.value is not None:
        body = low_word + _instruction(_EQUAL, refusal.value, 0, 1) + answer
    else:
        body = answer
    return (_instruction(_LOAD, 0)
            + _instruction(_EQUAL, _number(refusal.name), 0, len(body) // 8) + body)


def install(rules: list[Refusal]) -> None:
    """From here on, for this process and all that come of it."""
    class Program(ctypes.Structure):
        _fields_ = [("length", ctypes.c_ushort), ("instructions", ctypes.c_char_p)]

    code = b"".join(map(_rule, rules)) + _instruction(_RETURN, _ALLOW)
    program = Program(len(code) // 8, code)
    kernel.prctl(kernel.PR_SET_NO_NEW_PRIVS, 1)
    kernel.prctl(_PR_SET_SECCOMP, _MODE_FILTER, ctypes.byref(program))


NAMESPACES = 0x7E020000  # all CLONE_NEW* that clone(2) knows

# Docker's default profile without CAP_SYS_ADMIN, as far as it concerns us.
DOCKER = [
    *refusals(errno.ENOSYS, "clone3"),
    *refusals(errno.EPERM, "unshare", "setns", "mount", "umount2", "pivot_root", "open_tree",
              "move_mount", "mount_setattr", "fsopen", "fsconfig", "fsmount", "sethostname",
              "setdomainname", "keyctl"),
    Refusal("clone", errno.EPERM, argument=0, any_bit=NAMESPACES),
]
