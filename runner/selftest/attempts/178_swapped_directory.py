# attempt: 178 swap a directory on the way for a link while the host reads
# SPDX-License-Identifier: MIT
# group: read_out
# critical: yes
# expect: swaps=allowed end=allowed
# works: never host-side check in tests/integration/runner/files_test.cpp (ASwappedComponentNeverLeadsOutside)
import os
import time

NUMBER = {"x86_64": 316, "aarch64": 276}[os.uname().machine]
RENAME_EXCHANGE = 2

os.mkdir("real")
open("real/passwd", "w").write("inside")
os.symlink("/etc", "link")
swaps = 0
end = time.monotonic() + 1
while time.monotonic() < end:
    # In one step: no moment at which the name is missing.
    syscall(NUMBER, -100, b"real", -100, b"link", RENAME_EXCHANGE)
    swaps += 1
met("swaps", "allowed" if swaps > 100 else "slow")
met("end", "allowed" if os.path.islink("real") != os.path.islink("link") else "broken")
