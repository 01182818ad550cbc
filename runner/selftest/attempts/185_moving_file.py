# attempt: 185 cut and grow a file while it is read
# SPDX-License-Identifier: MIT
# group: read_out
# expect: rounds=allowed
# limits: work=16M
# works: never host-side check in tests/integration/runner/files_test.cpp: a short read or a refusal, never a signal
import mmap
import os
import time

file = os.open("result.csv", os.O_RDWR | os.O_CREAT, 0o600)
rounds = 0
end = time.monotonic() + 1
while time.monotonic() < end:
    os.ftruncate(file, 1 << 20)
    with mmap.mmap(file, 1 << 20, mmap.MAP_SHARED) as view:
        view[0] = view[4096] = view[(1 << 20) - 1] = rounds % 256
    os.ftruncate(file, 1)
    rounds += 1
met("rounds", "allowed" if rounds > 10 else "slow")
