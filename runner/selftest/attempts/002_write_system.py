# attempt: 2 write to the system's files
# SPDX-License-Identifier: MIT
# group: files
# expect: new_module=EROFS new_in_root=EROFS new_in_etc=EROFS new_in_run=EROFS
# expect: library=EACCES|EROFS library_cut=EACCES|EROFS passwd=EROFS passwd_gone=EROFS
# works: never no switch takes the read-only mounts away; without them the word would be worked or EACCES, never EROFS
import json
import os


def create(directory):
    path = os.path.join(directory, "sandbox-selftest-probe")
    os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    os.unlink(path)


library = json.__file__
attempt("new_module", create, os.path.dirname(library))
attempt("new_in_root", create, "/")
attempt("new_in_etc", create, "/etc")
attempt("new_in_run", create, "/run")
# Opened and closed only, cut to the length that it has, renamed to its own name: no harm done where it works.
attempt("library", os.open, library, os.O_WRONLY)
attempt("library_cut", os.truncate, library, os.path.getsize(library))
attempt("passwd", os.open, "/etc/passwd", os.O_WRONLY | os.O_APPEND)
attempt("passwd_gone", os.rename, "/etc/passwd", "/etc/passwd")
