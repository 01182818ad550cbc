# attempt: 105 spend the processor by alarms to oneself
# SPDX-License-Identifier: MIT
# group: processes
# expect: storm=begun
# outcome: cpu_limit
# limits: cpu=1s timeout=18s
# works: never the storm counts as the program's own time
import signal
import time

for number in (signal.SIGXCPU, signal.SIGPROF, signal.SIGVTALRM, signal.SIGALRM):
    signal.signal(number, lambda *_: None)
for timer in (signal.ITIMER_REAL, signal.ITIMER_VIRTUAL, signal.ITIMER_PROF):
    signal.setitimer(timer, 0.00001, 0.00001)
met("storm", "begun")
end = time.monotonic() + 15
while time.monotonic() < end:
    pass
