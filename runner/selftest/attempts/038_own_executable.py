# attempt: 38 overwrite the running interpreter
# SPDX-License-Identifier: MIT
# group: files
# expect: exe=EACCES|ETXTBSY|EROFS exe_mode=EROFS exe_times=EROFS exe_name=EROFS|EXDEV
# works: never no switch takes the read-only mounts away; without them the mode would say worked or EPERM, never EROFS
import os

EXE = "/proc/self/exe"
found = os.stat(EXE)

attempt("exe", os.open, EXE, os.O_WRONLY)
attempt("exe_mode", os.chmod, EXE, found.st_mode & 0o7777)
attempt("exe_times", os.utime, EXE, (found.st_atime, found.st_mtime))
path = os.readlink(EXE)
attempt("exe_name", os.rename, path, path)
