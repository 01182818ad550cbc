# attempt: 125 keep the host busy by output that comes in single bytes
# SPDX-License-Identifier: MIT
# group: exhaustion
# expect: single_bytes=allowed
# limits: timeout=15s
# works: never it is allowed; what the host spends on it is measured on the host
import os

for number in range(300000):
    os.write(2, b"\n" if number % 80 == 79 else b".")
met("single_bytes", "allowed")
