# attempt: 123 sleep past the deadline
# SPDX-License-Identifier: MIT
# group: exhaustion
# expect: sleep=begins
# outcome: timeout
# limits: timeout=1s
# works: plain
import time

met("sleep", "begins")
time.sleep(4)
met("sleep", "worked")
