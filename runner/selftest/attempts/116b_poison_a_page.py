# attempt: 116 have a page of the machine's memory marked as broken, or taken out of use
# SPDX-License-Identifier: MIT
# group: exhaustion
# expect: poison=EPERM|EINVAL offline=EPERM|EINVAL
# works: vm takes a page of the machine out of use until it is started again
import mmap
import os

MADV_HWPOISON, MADV_SOFT_OFFLINE = 100, 101
page = mmap.mmap(-1, mmap.PAGESIZE)
page[0] = 1
if os.geteuid() == 0 and open("/proc/self/uid_map").read().split() == ["0", "0", "4294967295"]:
    met("poison", "worked")  # the machine's root could; it is not tried
    met("offline", "worked")
else:
    attempt("poison", page.madvise, MADV_HWPOISON)
    attempt("offline", page.madvise, MADV_SOFT_OFFLINE)
