# attempt: 160 have equal pages of different sandboxes merged, to tell by time who has the same
# SPDX-License-Identifier: MIT
# group: ipc
# expect: ask=residual|EINVAL|EPERM process_wide=EINVAL|EPERM merged=none
# without seccomp: process_wide=EPERM|EINVAL|residual
# works: never pages are merged only where the machine's administrator turned KSM on
import mmap
import time

PR_SET_MEMORY_MERGE = 67
memory = mmap.mmap(-1, 256 * mmap.PAGESIZE, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
for start in range(0, len(memory), mmap.PAGESIZE):
    memory[start:start + 8] = b"selftest"


def process_wide():
    if _libc.prctl(PR_SET_MEMORY_MERGE, 1, 0, 0, 0) < 0:
        raise OSError(_ctypes.get_errno(), "prctl")


for label, action in (("ask", lambda: memory.madvise(mmap.MADV_MERGEABLE)),
                      ("process_wide", process_wide)):
    try:
        action()
        met(label, "residual")
    except OSError as error:
        met(label, _errno.errorcode[error.errno])
time.sleep(1)
try:
    with open("/proc/self/ksm_merging_pages") as file:
        merged = int(file.read())
except OSError:
    merged = 0
met("merged", "worked" if merged else "none")
