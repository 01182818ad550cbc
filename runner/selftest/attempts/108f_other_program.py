# attempt: 108 become another program
# SPDX-License-Identifier: MIT
# group: processes
# expect: program=exchanged
# outcome: exited:9
# works: never it is about how an end is told
import os
import sys

met("program", "exchanged")
os.execv(sys.executable, [sys.executable, "-c", "raise SystemExit(9)"])
