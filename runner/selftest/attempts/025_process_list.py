# attempt: 25 list the processes of the host
# SPDX-License-Identifier: MIT
# group: proc
# expect: proc_list=own_only init_listed=hidden init_cmdline=EPERM|ENOENT guessed=none
# works: without process_view
import os

# "worked": a file of the machine stands there, or a process that the guest did not start.
known = {"self", "thread-self", str(os.getpid())}
met("proc_list", "own_only" if set(os.listdir("/proc")) <= known else "worked")
met("init_listed", "hidden" if "1" not in os.listdir("/proc") else "worked")
attempt("init_cmdline", open, "/proc/1/cmdline")
# A directory that is not listed may still open.
seen = [pid for pid in range(1, 70000)
        if pid != os.getpid() and os.path.exists(f"/proc/{pid}/status")]
met("guessed", "none" if not seen else "worked")
