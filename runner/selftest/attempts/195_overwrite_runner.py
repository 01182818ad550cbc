# attempt: 195 overwrite the program that started this one
# SPDX-License-Identifier: MIT
# group: control
# expect: interpreter=EROFS|ETXTBSY|EACCES by_link=EROFS|ETXTBSY|EACCES init=ENOENT|EACCES|EPERM
# expect: init_later=ENOENT|EACCES|EPERM launcher=none
# works: never the runner is no file that a run can see
import os
import sys

# Opened for writing and closed again: no byte is written.
attempt("interpreter", os.open, "/proc/self/exe", os.O_WRONLY)
attempt("by_link", os.open, os.path.realpath(sys.executable), os.O_WRONLY)
attempt("init", os.open, "/proc/1/exe", os.O_WRONLY)
attempt("init_later", os.open, "/proc/1/exe", os.O_PATH)
seen = set()
for pid in filter(str.isdigit, os.listdir("/proc")):
    try:
        seen.add(os.stat("/proc/" + pid + "/exe").st_ino)
    except OSError:
        pass
met("launcher", "none" if seen <= {os.stat("/proc/self/exe").st_ino} else "worked")
