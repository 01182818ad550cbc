# attempt: 30 change settings of the host's kernel
# SPDX-License-Identifier: MIT
# group: proc
# expect: read_back=ENOENT overcommit=ENOENT randomize=ENOENT binfmt=ENOENT ptrace_scope=ENOENT hardlinks=ENOENT
# expect: forward=ENOENT drop_caches=ENOENT hostname=ENOENT bpf=ENOENT userfaultfd=ENOENT pid_max=ENOENT
# works: plain
import os

PATHS = {"overcommit": "vm/overcommit_memory", "randomize": "kernel/randomize_va_space",
         "binfmt": "fs/binfmt_misc/register", "ptrace_scope": "kernel/yama/ptrace_scope",
         "hardlinks": "fs/protected_hardlinks", "forward": "net/ipv4/ip_forward",
         "drop_caches": "vm/drop_caches", "hostname": "kernel/hostname",
         "bpf": "kernel/unprivileged_bpf_disabled", "userfaultfd": "vm/unprivileged_userfaultfd",
         "pid_max": "kernel/pid_max"}

attempt("read_back", lambda: os.close(os.open("/proc/sys/vm/overcommit_memory", os.O_RDONLY)))
for label, path in PATHS.items():
    attempt(label, lambda: os.close(os.open("/proc/sys/" + path, os.O_WRONLY)))
