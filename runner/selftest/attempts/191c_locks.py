# attempt: 191 hold locks on a file that the host reads
# SPDX-License-Identifier: MIT
# group: read_out
# expect: flock=allowed record=allowed open_file_description=allowed
# works: never locks are advisory: nobody's open or read waits for them; host-side check in tests/integration/runner/files_test.cpp
import fcntl
import os
import struct

F_OFD_SETLK, F_WRLCK = 37, 1

for label in ("flock", "record", "open_file_description"):
    file = os.open(label + ".csv", os.O_RDWR | os.O_CREAT, 0o2600)
    if label == "flock":
        fcntl.flock(file, fcntl.LOCK_EX)
    elif label == "record":
        fcntl.lockf(file, fcntl.LOCK_EX)
    else:
        fcntl.fcntl(file, F_OFD_SETLK, struct.pack("hhqqi4x", F_WRLCK, 0, 0, 0, 0))
    met(label, "allowed")
