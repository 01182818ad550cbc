# attempt: 179 leave a FIFO where the host looks for a result
# SPDX-License-Identifier: MIT
# group: read_out
# critical: yes
# expect: fifo=allowed nobody_reads=ENXIO nobody_writes=allowed kept_open=allowed
# works: never host-side check in tests/integration/runner/files_test.cpp (SpecialFilesAreDescribedButNeverOpened)
import os
import stat

os.mkfifo("result.csv")
met("fifo", "allowed" if stat.S_ISFIFO(os.stat("result.csv").st_mode) else "missing")
# No process of the host sits at the other end.
attempt("nobody_reads", os.open, "result.csv", os.O_WRONLY | os.O_NONBLOCK)
reader = os.open("result.csv", os.O_RDONLY | os.O_NONBLOCK)
met("nobody_writes", "allowed" if os.read(reader, 1) == b"" else "worked")
# One that looks like a file with content: both ends open, a page in it.
writer = os.open("result.csv", os.O_WRONLY | os.O_NONBLOCK)
met("kept_open", "allowed" if os.write(writer, b"x" * 4096) == 4096 else "short")
