# attempt: 67 loosen what prctl has locked
# SPDX-License-Identifier: MIT
# group: privileges
# expect: keep_capabilities=EINVAL|EPERM no_new_privs=EINVAL|EPERM secure_bits=EINVAL|EPERM
# expect: memory_map=EINVAL|EPERM exe_file=EINVAL|EPERM bounding_set=EINVAL|EPERM still_locked=yes
# works: plain
import ctypes
import os

PRCTL = 157 if os.uname().machine == "x86_64" else 167


def prctl(option, *values):
    return syscall(PRCTL, option, *(values + (0,) * (4 - len(values))))


attempt("keep_capabilities", prctl, 8, 1)
attempt("no_new_privs", prctl, 38, 0)
attempt("secure_bits", prctl, 28, 0)
attempt("memory_map", prctl, 35, 8, ctypes.addressof(ctypes.create_string_buffer(8)))
attempt("exe_file", prctl, 35, 13, 0)
attempt("bounding_set", prctl, 24, 21)
met("still_locked", "yes" if prctl(39) == 1 else "no")
