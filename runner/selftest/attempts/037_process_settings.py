# attempt: 37 change the kernel's settings of a process through /proc
# SPDX-License-Identifier: MIT
# group: proc
# expect: clear_refs=EROFS autogroup=EROFS|ENOENT coredump_filter=EROFS timerslack=EROFS sched=EROFS|ENOENT
# expect: comm=EROFS loginuid=EROFS|ENOENT thread_comm=EROFS
# works: plain
import os


def write(path, text):
    with open(path, "w") as file:
        file.write(text)


attempt("clear_refs", write, "/proc/self/clear_refs", "1")
attempt("autogroup", write, "/proc/self/autogroup", "19")
attempt("coredump_filter", write, "/proc/self/coredump_filter", "0x33")
attempt("timerslack", write, "/proc/self/timerslack_ns", "50000")
attempt("sched", write, "/proc/self/sched", "0")
attempt("comm", write, "/proc/self/comm", "kworker/0:0")
attempt("loginuid", write, "/proc/self/loginuid", str(os.getuid()))
attempt("thread_comm", write, f"/proc/self/task/{os.getpid()}/comm", "kworker/0:0")
