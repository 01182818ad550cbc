# attempt: 6 leave the root by a second chroot below the working directory
# SPDX-License-Identifier: MIT
# group: files
# expect: breakout=EPERM chroot=EPERM
# works: plain
import os
import tempfile


def breakout():
    """The old way: a descriptor above a new root stays outside of it."""
    outside = os.stat("/")
    with tempfile.TemporaryDirectory() as place:
        child = os.fork()
        if child == 0:
            try:
                above = os.open("/", os.O_RDONLY | os.O_DIRECTORY)
                os.chroot(place)
                os.fchdir(above)
                os._exit(0 if os.path.samestat(os.stat("."), outside) else 254)
            except OSError as error:
                os._exit(error.errno)
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if code:
        raise OSError(code, os.strerror(code))


attempt("breakout", breakout)
attempt("chroot", os.chroot, "/")
