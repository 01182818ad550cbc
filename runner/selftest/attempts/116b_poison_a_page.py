# attempt: 116 have a page of the machine's memory marked as broken, or taken out of use
# SPDX-License-Identifier: MIT
# group: exhaustion
# expect: offline=EPERM|EINVAL poison=EPERM|EINVAL
# works: never only root of a kernel with memory failure handling may; the emulated machine has none
import mmap

MADV_HWPOISON, MADV_SOFT_OFFLINE = 100, 101
page = mmap.mmap(-1, mmap.PAGESIZE)
page[0] = 1
attempt("offline", page.madvise, MADV_SOFT_OFFLINE)
attempt("poison", page.madvise, MADV_HWPOISON)
