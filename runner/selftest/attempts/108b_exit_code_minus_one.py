# attempt: 108 a negative exit code
# SPDX-License-Identifier: MIT
# group: processes
# expect: code=chosen
# outcome: exited:255
# works: never it is about how an end is told
import os

met("code", "chosen")
os._exit(-1)
