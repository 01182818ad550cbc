# attempt: 186 leave a tree that is wide, deep and closed to its reader
# SPDX-License-Identifier: MIT
# group: read_out
# expect: wide=allowed unreadable=allowed unsearchable=allowed itself=EACCES
# works: never host-side check in tests/integration/runner/files_test.cpp: what cannot be read is told, and all else comes
import os

for outer in range(40):
    for inner in range(40):
        os.makedirs(f"tree/{outer}/{inner}")
        open(f"tree/{outer}/{inner}/file", "w").close()
met("wide", "allowed")
os.makedirs("closed/below")
open("closed/file", "w").close()
os.chmod("closed", 0)
met("unsearchable", "allowed" if os.stat("closed").st_mode & 0o777 == 0 else "ignored")
open("unreadable.csv", "w").close()
os.chmod("unreadable.csv", 0)
met("unreadable", "allowed")
attempt("itself", os.open, "closed/file", os.O_RDONLY)
