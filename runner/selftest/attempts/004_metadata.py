# attempt: 4 change mode, owner and times of files
# SPDX-License-Identifier: MIT
# group: files
# expect: system_mode=EROFS system_owner=EROFS system_times=EROFS root_mode=EROFS
# expect: own_mode=allowed own_setuid=allowed own_owner=EINVAL|EPERM own_group=EINVAL|EPERM
# works: never no switch takes the read-only mounts away; without them the word would be worked or EPERM, never EROFS
import os


def mode(path, bits):
    os.chmod(path, bits)
    return oct(os.stat(path).st_mode & 0o7777)


system = os.__file__
attempt("system_mode", os.chmod, system, os.stat(system).st_mode & 0o7777)
attempt("system_owner", os.chown, system, os.getuid(), -1)
attempt("system_times", os.utime, system, (os.stat(system).st_atime, os.stat(system).st_mtime))
attempt("root_mode", os.chmod, "/", os.stat("/").st_mode & 0o7777)

open("own", "w").close()
met("own_mode", "allowed" if mode("own", 0o755) == "0o755" else "ignored")
# The bit may be set: the mount is nosuid and noexec, and its owner is the guest.
met("own_setuid", "allowed" if mode("own", 0o4755) == "0o4755" else "ignored")
attempt("own_owner", os.chown, "own", 0, -1)
attempt("own_group", os.chown, "own", -1, 0)
