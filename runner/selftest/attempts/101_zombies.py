# attempt: 101 fill the process table with dead children that nobody waits for
# SPDX-License-Identifier: MIT
# group: processes
# expect: zombies=EAGAIN number=within
# limits: processes=32
# works: plain
import os

number = 0


def flood():
    global number
    while number < 300:
        if os.fork() == 0:
            os._exit(0)
        number += 1


attempt("zombies", flood)
met("number", "within" if number <= 32 else "worked")
