# attempt: 108 end by the signal of the CPU limit, without having used much
# SPDX-License-Identifier: MIT
# group: processes
# expect: signal=chosen
# outcome: signaled:SIGXCPU
# works: never it is about how an end is told
import os
import signal

met("signal", "chosen")
signal.signal(signal.SIGXCPU, signal.SIG_DFL)
os.kill(os.getpid(), signal.SIGXCPU)
