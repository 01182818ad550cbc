# attempt: 110 eight processes that take more memory together than one may have
# SPDX-License-Identifier: MIT
# group: exhaustion
# expect: together=begins
# outcome: memory_limit
# limits: memory=64M processes=16 timeout=10s
# works: plain
import os
import time

met("together", "begins")
ready, tell = os.pipe()
go, release = os.pipe()
children = []
for _ in range(8):
    child = os.fork()
    if child == 0:
        os.close(release)
        held = b"x" * (24 << 20)
        os.write(tell, b"1")
        os.read(go, 1)
        os._exit(0 if held else 1)
    children.append(child)
told = 0
while told < len(children):
    told += len(os.read(ready, 8))
time.sleep(1)
met("together", "worked")
os.close(release)
for child in children:
    os.waitpid(child, 0)
