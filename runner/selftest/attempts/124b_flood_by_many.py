# attempt: 124 write output without end from children, on both streams, opened anew by name
# SPDX-License-Identifier: MIT
# group: exhaustion
# expect: flood=begins
# outcome: output_limit
# limits: output=64K processes=16 timeout=15s
# works: never 124 shows the same; here what is met would drown in its own stream
import os

met("flood", "begins")
line = (b"x" * 127 + b"\n") * 8192
for name in ("/dev/stdout", "/dev/stderr", "/proc/self/fd/1", "/proc/self/fd/2"):
    if os.fork() == 0:
        stream = os.open(name, os.O_WRONLY)
        for _ in range(60):
            done = 0
            while done < len(line):
                done += os.write(stream, line[done:])
        os._exit(0)
for _ in range(4):
    os.wait()
