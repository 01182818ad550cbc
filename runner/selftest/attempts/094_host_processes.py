# attempt: 94 find processes of the host by their numbers
# SPDX-License-Identifier: MIT
# group: processes
# expect: kill=ESRCH pidfd=ESRCH thread=ESRCH group=ESRCH scheduler=ESRCH limits=ESRCH|EPERM
# works: never a pid namespace always hides the numbers of others
import os

X86 = os.uname().machine == "x86_64"
own = {0, 1, os.getpid(), os.getpgrp(), os.getsid(0)}


def every(label, action):
    """Signal 0 only asks whether somebody is there."""
    answers = set()
    for pid in range(2, 5000):
        if pid in own:
            continue
        try:
            action(pid)
            answers.add("worked")
        except OSError as error:
            answers.add({1: "EPERM", 3: "ESRCH"}.get(error.errno, "other"))
    met(label, answers.pop() if len(answers) == 1 else "mixed")


every("kill", lambda pid: os.kill(pid, 0))
every("group", lambda pid: os.kill(-pid, 0))
every("pidfd", lambda pid: syscall(434, pid, 0))
every("thread", lambda pid: syscall(234 if X86 else 131, pid, pid, 0))
every("scheduler", os.sched_getaffinity)
every("limits", lambda pid: syscall(302 if X86 else 261, pid, 7, None, None))
