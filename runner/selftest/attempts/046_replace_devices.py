# attempt: 46 replace the devices
# SPDX-License-Identifier: MIT
# group: devices
# expect: moved=EROFS link_moved=EROFS new_link=EROFS new_directory=EROFS mode=EROFS times=EROFS other_device=EPERM
# without seccomp: other_device=EROFS
# works: never no switch takes the read-only mounts away; without them the words would be worked or EACCES, never EROFS
import os
import stat


def make(action, path, undo):
    action(path)
    undo(path)


# Renamed to their own names, and what is made is removed: no harm done where it works.
attempt("moved", os.rename, "/dev/null", "/dev/null")
attempt("link_moved", os.rename, "/dev/stdin", "/dev/stdin")
attempt("new_link", make, lambda path: os.symlink("/work/x", path), "/dev/selftest-probe",
        os.unlink)
attempt("new_directory", make, os.mkdir, "/dev/selftest-probe", os.rmdir)
attempt("mode", os.chmod, "/dev/null", stat.S_IMODE(os.stat("/dev/null").st_mode))
attempt("times", os.utime, "/dev/zero")
attempt("other_device", make, lambda path: os.mknod(path, stat.S_IFCHR | 0o600, os.makedev(1, 3)),
        "/dev/selftest-probe", os.unlink)
