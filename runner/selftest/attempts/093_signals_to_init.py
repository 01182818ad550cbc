# attempt: 93 end or stop the first process by every signal
# SPDX-License-Identifier: MIT
# group: processes
# expect: kill=EPERM|ignored thread_kill=EPERM|ignored pidfd=EPERM|ignored queue=EPERM|ignored
# expect: init=alive
# works: never the kernel lets nobody inside a pid namespace end its first process
import ctypes
import os

libc = ctypes.CDLL(None, use_errno=True)
X86 = os.uname().machine == "x86_64"


def every(label, action):
    """Reaching it is no harm as long as it ignores what comes."""
    answers = set()
    for number in range(1, 65):
        if number in (32, 33):
            continue  # the C library's own
        try:
            action(number)
            answers.add("ignored")
        except OSError as error:
            answers.add("EPERM" if error.errno == 1 else str(error.errno))
    met(label, answers.pop() if len(answers) == 1 else "mixed")


def queue(number):
    if libc.sigqueue(1, number, None) != 0:
        raise OSError(ctypes.get_errno(), "sigqueue")


if 1 < os.getpid() < 1000:  # else this is no pid namespace of its own
    init = syscall(434, 1, 0)
    every("kill", lambda number: os.kill(1, number))
    every("thread_kill", lambda number: syscall(234 if X86 else 131, 1, 1, number))
    every("pidfd", lambda number: syscall(424, init, number, None, 0))
    every("queue", queue)
    met("init", "alive" if os.getppid() == 1 else "gone")
