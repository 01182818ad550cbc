# attempt: 58 reach a namespace by clone3, whose flags no filter can read
# SPDX-License-Identifier: MIT
# group: privileges
# critical: yes
# expect: user=ENOSYS uts=ENOSYS mount=ENOSYS cgroup=ENOSYS ipc=ENOSYS pid=ENOSYS net=ENOSYS
# expect: time=ENOSYS all=ENOSYS into_cgroup=ENOSYS threads=fine programs=fine
# without seccomp: user=ENOSPC uts=EPERM|ENOSPC mount=EPERM|ENOSPC cgroup=EPERM|ENOSPC ipc=EPERM|ENOSPC pid=EPERM|ENOSPC net=EPERM|ENOSPC time=EPERM|ENOSPC|EINVAL all=ENOSPC into_cgroup=EBADF
# works: without seccomp,namespace_lock
import ctypes
import os
import signal
import subprocess
import sys
import threading

FLAGS = {"user": 0x10000000, "uts": 0x4000000, "mount": 0x20000, "cgroup": 0x2000000,
         "ipc": 0x8000000, "pid": 0x20000000, "net": 0x40000000, "time": 0x80, "all": 0x7E020080,
         "into_cgroup": 0x200000000}


def clone3(flags):
    words = (ctypes.c_uint64 * 11)(flags, 0, 0, 0, signal.SIGCHLD)
    pid = syscall(435, words, ctypes.sizeof(words))
    if pid == 0:
        os._exit(0)
    os.waitpid(pid, 0)


for name, flag in FLAGS.items():
    attempt(name, clone3, flag)

ran = []
thread = threading.Thread(target=ran.append, args=(1,))
thread.start()
thread.join()
met("threads", "fine" if ran else "broken")
child = subprocess.run([sys.executable, "-c", "print(6 * 7)"], capture_output=True, check=False)
met("programs", "fine" if child.stdout == b"42\n" else "broken")
