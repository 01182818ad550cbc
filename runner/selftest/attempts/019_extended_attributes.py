# attempt: 19 fill kernel memory with extended attributes
# SPDX-License-Identifier: MIT
# group: exhaustion
# expect: attributes=ENOTSUP by_descriptor=ENOTSUP removed=ENOTSUP trusted=ENOTSUP
# without seccomp: attributes=ENOSPC|ENOTSUP by_descriptor=ENOSPC|ENOTSUP removed=ENODATA|ENOTSUP trusted=EPERM|ENOTSUP
# limits: work=16M
# works: without seccomp,inode_limits
import os


def flood():
    """64 MiB, four times the working directory's size, and none of it counts as its blocks."""
    for number in range(64):
        path = f"attributes-{number}"
        open(path, "w").close()
        for index in range(16):
            os.setxattr(path, f"user.{index}", b"x" * 65000)


open("own", "w").close()
attempt("attributes", flood)
attempt("by_descriptor", os.setxattr, os.open("own", os.O_RDONLY), "user.x", b"x")
attempt("removed", os.removexattr, "own", "user.never-there")
attempt("trusted", os.setxattr, "own", "trusted.overlay.opaque", b"y")
