# attempt: 64 open the host's root directory by a forged file handle
# SPDX-License-Identifier: MIT
# group: privileges
# critical: yes
# expect: root_of_disk=EPERM other_inode=EPERM from_proc=EPERM name_to_handle=EPERM
# without seccomp: name_to_handle=allowed|EOPNOTSUPP|ENOTSUP|EOVERFLOW
# works: vm needs root of the host, with the image on an ext4 disk
import ctypes
import os
import struct

X86 = os.uname().machine == "x86_64"
NAME_TO_HANDLE, OPEN_BY_HANDLE = (303, 304) if X86 else (264, 265)


def forged(inode):
    """Eight bytes of type 1: an inode number and a generation, which 0 stands for any of."""
    return ctypes.create_string_buffer(struct.pack("=IiII", 8, 1, inode, 0))


def open_inode(below, inode):
    anchor = os.open(below, os.O_RDONLY)
    fd = syscall(OPEN_BY_HANDLE, anchor, forged(inode), os.O_RDONLY)
    return os.listdir(fd)


attempt("root_of_disk", open_inode, "/usr/lib", 2)
attempt("other_inode", open_inode, "/usr/lib", 12)
attempt("from_proc", open_inode, "/proc/self", 1)
handle = ctypes.create_string_buffer(struct.pack("=Ii", 128, 0) + bytes(128))
mount_id = ctypes.c_int()
try:
    syscall(NAME_TO_HANDLE, -100, b"/usr/lib", handle, ctypes.byref(mount_id), 0)
    met("name_to_handle", "allowed")
except OSError as error:
    met("name_to_handle", {1: "EPERM", 95: "EOPNOTSUPP", 75: "EOVERFLOW"}.get(error.errno, "other"))
