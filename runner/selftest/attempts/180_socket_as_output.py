# attempt: 180 leave a socket where the host looks for a result
# SPDX-License-Identifier: MIT
# group: read_out
# critical: yes
# expect: socket=allowed opened=ENXIO connected=none
# works: never host-side check in tests/integration/runner/files_test.cpp (SpecialFilesAreDescribedButNeverOpened)
import os
import socket
import stat

listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
listener.bind("result.csv")
listener.listen(1)
met("socket", "allowed" if stat.S_ISSOCK(os.stat("result.csv").st_mode) else "missing")
attempt("opened", os.open, "result.csv", os.O_RDONLY)
listener.settimeout(0.3)
try:
    listener.accept()
    met("connected", "worked")
except TimeoutError:
    met("connected", "none")
