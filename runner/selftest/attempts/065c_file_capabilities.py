# attempt: 65 give a file of one's own capabilities, or the set-user-id bit of root
# SPDX-License-Identifier: MIT
# group: privileges
# expect: file_capability=ENOTSUP|EOPNOTSUPP owned_by_root=EPERM|EINVAL
# without seccomp: file_capability=EPERM
# works: plain
import os
import struct
import tempfile

_, name = tempfile.mkstemp()
sys_admin = struct.pack("<IIIII", 0x02000001, 1 << 21, 0, 0, 0)  # version 2, effective
attempt("file_capability", os.setxattr, name, "security.capability", sys_admin)
attempt("owned_by_root", os.chown, name, 0, 0)
