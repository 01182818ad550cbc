# attempt: 130 end by the signal of a file that is too large
# SPDX-License-Identifier: MIT
# group: exhaustion
# expect: signal=begins
# outcome: signaled:SIGXFSZ
# limits: work=16M timeout=10s
# works: plain
import os
import signal
import tempfile

met("signal", "begins")
signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
file = tempfile.TemporaryFile(dir="/tmp", buffering=0)
os.ftruncate(file.fileno(), 17 << 20)
met("signal", "worked")
