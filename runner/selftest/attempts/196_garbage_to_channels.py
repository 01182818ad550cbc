# attempt: 196 write garbage to whatever leads to the runner
# SPDX-License-Identifier: MIT
# group: control
# expect: descriptors=none init=ENOENT|EACCES|EPERM output=taken after=alive
# works: never a program has its three descriptors and no channel
import os
import struct

GARBAGE = [b"\xff" * 64, struct.pack("<q", -1), struct.pack(">Q", 1 << 62), b"{\"id\":", b"\0",
           b"Content-Length: -1\r\n\r\n", b"\x1b]0;x\x07"]
reached = 0
for fd in range(3, 1024):
    try:
        os.fstat(fd)
    except OSError:
        continue
    reached += 1
    for part in GARBAGE:
        try:
            os.write(fd, part)
        except OSError:
            pass
met("descriptors", "none" if reached == 0 else "worked")
attempt("init", os.listdir, "/proc/1/fd")
for part in GARBAGE * 20:
    os.write(1, part + b"\n")
    os.write(2, part + b"\n")
try:
    os.write(0, b"to whoever reads this")
except OSError:
    pass
met("output", "taken")
met("after", "alive")
