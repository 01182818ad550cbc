# attempt: 56 make each other kind of namespace, alone
# SPDX-License-Identifier: MIT
# group: privileges
# critical: yes
# expect: uts=EPERM mount=EPERM cgroup=EPERM ipc=EPERM pid=EPERM net=EPERM time=EPERM
# without seccomp: uts=EPERM|ENOSPC mount=EPERM|ENOSPC cgroup=EPERM|ENOSPC ipc=EPERM|ENOSPC pid=EPERM|ENOSPC net=EPERM|ENOSPC time=EPERM|ENOSPC|EINVAL
# works: plain
import os

UNSHARE = 272 if os.uname().machine == "x86_64" else 97
for name, flag in {"uts": 0x4000000, "mount": 0x20000, "cgroup": 0x2000000, "ipc": 0x8000000,
                   "pid": 0x20000000, "net": 0x40000000, "time": 0x80}.items():
    attempt(name, syscall, UNSHARE, flag)
