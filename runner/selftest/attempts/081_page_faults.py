# attempt: 81 hold the kernel still in a page fault that the program answers (userfaultfd)
# SPDX-License-Identifier: MIT
# group: calls
# critical: yes
# expect: kernel_faults=EPERM device=ENOENT own_faults=EPERM
# without seccomp: kernel_faults=EPERM|ENOSYS own_faults=allowed|EPERM|ENOSYS
# works: vm needs root of the host, or vm.unprivileged_userfaultfd=1
import os

USERFAULTFD = 323 if os.uname().machine == "x86_64" else 282
USER_MODE_ONLY = 1

attempt("kernel_faults", syscall, USERFAULTFD, os.O_CLOEXEC)
attempt("device", os.open, "/dev/userfaultfd", os.O_RDWR)
try:  # faults of user mode alone can stop nobody but ourselves
    syscall(USERFAULTFD, os.O_CLOEXEC | USER_MODE_ONLY)
    met("own_faults", "allowed")
except OSError as error:
    met("own_faults", {1: "EPERM", 38: "ENOSYS"}.get(error.errno, "other"))
