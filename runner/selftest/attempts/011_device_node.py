# attempt: 11 make a device node
# SPDX-License-Identifier: MIT
# group: files
# expect: block=EPERM character=EPERM relative=EPERM
# without seccomp: block=EPERM|EACCES character=EPERM|EACCES relative=EPERM|EACCES
# works: vm only the machine's own root has CAP_MKNOD; a user namespace never gives it
import os
import stat


def node(*arguments, **options):
    os.mknod(*arguments, **options)
    os.unlink(arguments[0], **options)


attempt("block", node, "/work/sda", stat.S_IFBLK | 0o600, os.makedev(8, 0))
attempt("character", node, "/work/mem", stat.S_IFCHR | 0o600, os.makedev(1, 1))
attempt("relative", node, "kmsg", stat.S_IFCHR | 0o600, os.makedev(1, 11))
