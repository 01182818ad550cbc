# attempt: 29 raise the number of namespaces that can be made
# SPDX-License-Identifier: MIT
# group: proc
# expect: user=ENOENT mount=ENOENT net=ENOENT pid=ENOENT time=ENOENT cgroup=ENOENT ipc=ENOENT uts=ENOENT
# works: plain
import os

KINDS = {"user": "user", "mount": "mnt", "net": "net", "pid": "pid", "time": "time",
         "cgroup": "cgroup", "ipc": "ipc", "uts": "uts"}

for label, kind in KINDS.items():
    path = f"/proc/sys/user/max_{kind}_namespaces"
    attempt(label, lambda: os.close(os.open(path, os.O_WRONLY)))
