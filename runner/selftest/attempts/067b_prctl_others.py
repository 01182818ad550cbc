# attempt: 67 the options of prctl that a program has no need of
# SPDX-License-Identifier: MIT
# group: privileges
# expect: huge_pages=EINVAL|EPERM speculation=EINVAL|EPERM dispatch=EINVAL|EPERM
# expect: core_scheduling=EINVAL|EPERM write_execute=EINVAL|EPERM memory_errors=EINVAL|EPERM
# expect: io_flusher=EINVAL|EPERM time_stamp=EINVAL|EPERM unknown=EINVAL|EPERM
# works: plain
import os

PRCTL = 157 if os.uname().machine == "x86_64" else 167
for label, arguments in {
        "huge_pages": (41, 1, 0, 0, 0),  # PR_SET_THP_DISABLE
        "speculation": (53, 0, 2, 0, 0),  # PR_SET_SPECULATION_CTRL: store bypass, enable
        "dispatch": (59, 2, 0, 0, 0),  # PR_SET_SYSCALL_USER_DISPATCH, newer way
        "core_scheduling": (62, 3, 1, 0, 0),  # PR_SCHED_CORE, share from init
        "write_execute": (65, 0, 0, 0, 0),  # PR_SET_MDWE
        "memory_errors": (33, 1, 1, 9, 0),  # PR_MCE_KILL
        "io_flusher": (57, 1, 0, 0, 0),  # PR_SET_IO_FLUSHER
        "time_stamp": (26, 9, 0, 0, 0),  # PR_SET_TSC, a value that none has
        "unknown": (0x7FFFFFF0, 1, 1, 1, 1)}.items():
    attempt(label, syscall, PRCTL, *arguments)
