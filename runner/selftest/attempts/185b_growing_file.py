# attempt: 185 let a file grow for as long as it is read
# SPDX-License-Identifier: MIT
# group: read_out
# expect: grown=allowed end=ENOSPC|EFBIG
# limits: work=16M
# works: never host-side check in tests/integration/runner/files_test.cpp: the read stops one byte above its cap
import os


def grow(path):
    with open(path, "ab", buffering=0) as file:
        for _ in range(64 * 16):
            file.write(bytes(65536))


for number in range(2):
    open(f"result-{number}.csv", "w").close()
attempt("end", lambda: [grow(f"result-{number}.csv") for number in range(2)])
met("grown", "allowed" if os.path.getsize("result-0.csv") > 8 << 20 else "missing")
