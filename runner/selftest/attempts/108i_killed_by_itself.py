# attempt: 108 end by SIGKILL, as if a limit had done it
# SPDX-License-Identifier: MIT
# group: processes
# expect: signal=chosen
# outcome: signaled:SIGKILL
# works: never it is about how an end is told
import os
import signal

met("signal", "chosen")
os.kill(os.getpid(), signal.SIGKILL)
