# attempt: 97 ignore or block every signal, and go on
# SPDX-License-Identifier: MIT
# group: processes
# expect: signals=ignored
# outcome: timeout
# limits: timeout=2s
# works: never the deadline is kept outside
import signal
import time

for number in signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP}:
    signal.signal(number, signal.SIG_IGN)
signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
met("signals", "ignored")
end = time.monotonic() + 15
while time.monotonic() < end:
    pass
