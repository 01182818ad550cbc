# attempt: 56 start a child in each other kind of namespace
# SPDX-License-Identifier: MIT
# group: privileges
# critical: yes
# expect: uts=EPERM mount=EPERM cgroup=EPERM ipc=EPERM pid=EPERM net=EPERM
# without seccomp: uts=EPERM|ENOSPC mount=EPERM|ENOSPC cgroup=EPERM|ENOSPC ipc=EPERM|ENOSPC pid=EPERM|ENOSPC net=EPERM|ENOSPC
# works: plain
import os
import signal

CLONE = 56 if os.uname().machine == "x86_64" else 220


def clone(flag):
    pid = syscall(CLONE, flag | signal.SIGCHLD, None, None, None, None)
    if pid == 0:
        os._exit(0)
    os.waitpid(pid, 0)


for name, flag in {"uts": 0x4000000, "mount": 0x20000, "cgroup": 0x2000000, "ipc": 0x8000000,
                   "pid": 0x20000000, "net": 0x40000000}.items():
    attempt(name, clone, flag)
