# attempt: 178 swap the file itself for a link, a FIFO and a directory while the host reads
# SPDX-License-Identifier: MIT
# group: read_out
# critical: yes
# expect: swaps=allowed
# works: never host-side check in tests/integration/runner/files_test.cpp
import os
import time

open("result", "w").write("inside")
os.symlink("/etc/passwd", "link")
os.mkfifo("fifo")
os.mkdir("directory")
NUMBER = {"x86_64": 316, "aarch64": 276}[os.uname().machine]
RENAME_EXCHANGE = 2

swaps = 0
end = time.monotonic() + 1
while time.monotonic() < end:
    for other in (b"link", b"fifo", b"directory"):
        syscall(NUMBER, -100, b"result", -100, other, RENAME_EXCHANGE)
        swaps += 1
met("swaps", "allowed" if swaps > 100 else "slow")
