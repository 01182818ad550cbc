# attempt: 181 leave a device where the host looks for a result
# SPDX-License-Identifier: MIT
# group: read_out
# critical: yes
# expect: node=EPERM linked=EXDEV moved=EXDEV symlink=allowed nodev=EPERM
# without seccomp: node=EPERM|EACCES nodev=EPERM|EACCES
# works: vm only the machine's own root has CAP_MKNOD; a user namespace never gives it
import os
import stat


def node():
    os.mknod("result.csv", stat.S_IFCHR | 0o666, os.makedev(1, 5))
    os.unlink("result.csv")


def open_node():
    """Should the node be made, the mount is nodev: it does not open."""
    os.mknod("zero.csv", stat.S_IFCHR | 0o666, os.makedev(1, 5))
    try:
        os.open("zero.csv", os.O_RDONLY)
    finally:
        os.unlink("zero.csv")


attempt("node", node)
attempt("linked", os.link, "/dev/zero", "/work/linked.csv")
attempt("moved", os.rename, "/dev/zero", "/work/moved.csv")
os.symlink("/dev/zero", "symlink.csv")
met("symlink", "allowed" if os.path.islink("symlink.csv") else "missing")
attempt("nodev", open_node)
