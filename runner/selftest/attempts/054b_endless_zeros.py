# attempt: 54 read /dev/zero for ever
# SPDX-License-Identifier: MIT
# group: exhaustion
# expect: first=allowed
# outcome: timeout|cpu_limit
# limits: cpu=1s timeout=3s
# works: never the verdict is what is looked at, and the program ends by itself after 15 s
import time

end = time.monotonic() + 15
with open("/dev/zero", "rb", buffering=0) as source:
    met("first", "allowed" if source.read(4) == bytes(4) else "missing")
    while time.monotonic() < end:
        source.read(1 << 20)
met("endless", "worked")
