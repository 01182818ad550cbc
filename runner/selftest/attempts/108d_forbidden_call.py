# attempt: 108 end by the filter's own signal
# SPDX-License-Identifier: MIT
# group: processes
# expect: signal=chosen
# outcome: signaled:SIGSYS
# works: never it is about how an end is told
import os
import signal

met("signal", "chosen")
if os.uname().machine == "x86_64":
    try:
        syscall(0x40000000 | 39)  # of the other call table
    except OSError:
        pass
else:
    os.kill(os.getpid(), signal.SIGSYS)
