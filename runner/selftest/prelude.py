# What every attempt starts with; put in front of each program.
# SPDX-License-Identifier: MIT
import ctypes as _ctypes
import errno as _errno
import os as _os

_libc = _ctypes.CDLL(None, use_errno=True)
_libc.syscall.restype = _ctypes.c_long


def syscall(number, *arguments):
    """A raw system call; raises OSError as os functions do."""
    words = [a if isinstance(a, (bytes, type(None))) or hasattr(a, "_type_") or hasattr(a, "_obj")
             or hasattr(a, "contents") or isinstance(a, _ctypes.Array | _ctypes.Structure)
             else _ctypes.c_long(a) for a in arguments]
    _ctypes.set_errno(0)
    result = _libc.syscall(_ctypes.c_long(number), *words)
    if result < 0:
        code = _ctypes.get_errno()
        raise OSError(code, _os.strerror(code))
    return result


def met(label, what):
    """Tells what this attempt met: an errno's name, or a word."""
    print("@@", label, what, flush=True)


def attempt(label, action, *arguments):
    """Tries it, tells the errno that stopped it, or "worked"."""
    try:
        value = action(*arguments)
    except OSError as error:
        met(label, _errno.errorcode.get(error.errno, str(error.errno)) if error.errno
            else type(error).__name__)
        return None
    except MemoryError:
        met(label, "MemoryError")
        return None
    met(label, "worked")
    return value
