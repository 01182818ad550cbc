# attempt: 124 write output without end
# SPDX-License-Identifier: MIT
# group: exhaustion
# expect: flood=begins
# outcome: output_limit
# limits: output=64K timeout=15s
# works: plain
import os

met("flood", "begins")
line = (b"x" * 127 + b"\n") * 8192
for _ in range(200):  # 200 MiB, on stderr so that what is met stays readable
    done = 0
    while done < len(line):
        done += os.write(2, line[done:])
met("flood", "worked")
