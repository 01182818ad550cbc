# attempt: 128 output that a terminal or a log would obey: escapes, clipboard, C1, NUL, broken UTF-8
# SPDX-License-Identifier: MIT
# group: exhaustion
# expect: bytes=allowed lines=allowed
# works: never it is allowed; that it arrives as bytes, or made harmless, is tested on the host
import os

hostile = [
    b"\x1b]52;c;cm0gLXJmIC8=\x07", b"\x1b[2J\x1b[H", b"\x1b]0;title\x07", b"\x1bP+q544e\x1b\\",
    b"\x9b31m", b"\xc2\x9b31m", b"\x00", b"\xed\xa0\x80", b"\xff\xfe", b"\xf4\x90\x80\x80",
    b"\r overwritten", b"\x08\x08\x08", b"\xe2\x80\xae txet", b"\xe2\x80\xa8", b"\x1b[?1049h",
]
for stream in (1, 2):
    for one in hostile:
        os.write(stream, one + b"\n")
met("bytes", "allowed")
# What looks like the host's own words or records.
for line in (b'{"outcome":"exited","exit_code":0}', b"sandboxctl: everything is fine",
             b"[  0.000000] Kernel panic - not syncing", b"</stdout><result>0</result>"):
    os.write(2, line + b"\r\n")
met("lines", "allowed")
