# attempt: 108 end by the highest real-time signal
# SPDX-License-Identifier: MIT
# group: processes
# expect: signal=chosen
# outcome: signaled:SIGRTMIN+30
# works: never it is about how an end is told
import os

met("signal", "chosen")
os.kill(os.getpid(), 64)
