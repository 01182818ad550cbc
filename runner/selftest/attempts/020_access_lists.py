# attempt: 20 give a file an access control list
# SPDX-License-Identifier: MIT
# group: files
# expect: access_list=ENOTSUP default_list=ENOTSUP
# without seccomp: access_list=worked|ENOTSUP default_list=worked|ENOTSUP
# works: without seccomp
import os
import struct


def access_list():
    """Owner, one named user, group, mask, others (linux/posix_acl_xattr.h)."""
    nobody = 0xFFFFFFFF
    entries = [(1, 6, nobody), (2, 7, os.getuid()), (4, 4, nobody), (16, 7, nobody),
               (32, 4, nobody)]
    return struct.pack("<I", 2) + b"".join(struct.pack("<HHI", *entry) for entry in entries)


open("own", "w").close()
os.mkdir("own-directory")
attempt("access_list", os.setxattr, "own", "system.posix_acl_access", access_list())
attempt("default_list", os.setxattr, "own-directory", "system.posix_acl_default", access_list())
