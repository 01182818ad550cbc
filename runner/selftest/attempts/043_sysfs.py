# attempt: 43 read /sys
# SPDX-License-Identifier: MIT
# group: proc
# expect: sys=ENOENT cgroup=ENOENT kernel=ENOENT debug=ENOENT tracing=ENOENT firmware=ENOENT bpf=ENOENT security=ENOENT
# works: plain
import os

PATHS = {"sys": "/sys", "cgroup": "/sys/fs/cgroup", "kernel": "/sys/kernel",
         "debug": "/sys/kernel/debug",
         "tracing": "/sys/kernel/tracing", "firmware": "/sys/firmware/efi", "bpf": "/sys/fs/bpf",
         "security": "/sys/kernel/security"}

for label, path in PATHS.items():
    attempt(label, os.listdir, path)
