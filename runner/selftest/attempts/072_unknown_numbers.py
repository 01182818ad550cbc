# attempt: 72 numbers that no call has
# SPDX-License-Identifier: MIT
# group: privileges
# expect: minus_one=ENOSYS large=ENOSYS all_bits=ENOSYS below_x32=ENOSYS hole=ENOSYS next=ENOSYS
# works: never the kernel itself has no such calls
attempt("minus_one", syscall, -1)
attempt("large", syscall, 9999, 1, 2, 3, 4, 5, 6)
attempt("all_bits", syscall, 0xFFFFFFFF)
attempt("below_x32", syscall, 0x3FFFFFFF)
attempt("hole", syscall, 400)
attempt("next", syscall, 1023)
