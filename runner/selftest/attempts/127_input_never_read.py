# attempt: 127 never read the input, hold it open, write to it
# SPDX-License-Identifier: MIT
# group: exhaustion
# expect: stdin=no_terminal input=empty write_to_stdin=EBADF
# limits: timeout=5s
# works: never the host's side, 100 MB for a guest that does not read, is a test of its own
import os

met("stdin", "worked" if os.isatty(0) else "no_terminal")
attempt("write_to_stdin", os.write, 0, b"x")
child = os.fork()
if child == 0:
    os.read(0, 1)  # a child that waits on it does not keep the run alive either
    os._exit(0)
met("input", "empty" if os.read(0, 1) == b"" else "something")
