# attempt: 108 exit codes beyond one byte
# SPDX-License-Identifier: MIT
# group: processes
# expect: code=chosen
# outcome: exited
# works: never it is about how an end is told
import os

met("code", "chosen")
os._exit(256)
