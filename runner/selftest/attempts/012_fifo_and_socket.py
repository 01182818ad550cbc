# attempt: 12 leave a FIFO and a socket in the working directory
# SPDX-License-Identifier: MIT
# group: files
# expect: fifo=allowed socket=allowed fifo_does_not_block=ENXIO
# works: never allowed by design; that the read-out does not hang is in tests/integration/runner/files_test.cpp
import os
import socket
import stat

os.mkfifo("fifo")
met("fifo", "allowed" if stat.S_ISFIFO(os.lstat("fifo").st_mode) else "missing")
listener = socket.socket(socket.AF_UNIX)
listener.bind("socket")
met("socket", "allowed" if stat.S_ISSOCK(os.lstat("socket").st_mode) else "missing")
# No reader is there: none of the host waits at the other end.
attempt("fifo_does_not_block", os.open, "fifo", os.O_WRONLY | os.O_NONBLOCK)
