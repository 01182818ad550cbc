# attempt: 24 cut a file that is mapped
# SPDX-License-Identifier: MIT
# group: files
# expect: touched=SIGBUS survivor=allowed
# works: never it is the guest's own process that dies, as anywhere; that the host maps no guest file is in tests/integration/runner/files_test.cpp
import mmap
import os
import signal

file = os.open("mapped", os.O_RDWR | os.O_CREAT, 0o600)
os.write(file, b"x" * 8192)
child = os.fork()
if child == 0:
    view = mmap.mmap(file, 8192, mmap.MAP_SHARED)
    os.ftruncate(file, 0)
    os._exit(view[4096])
status = os.waitpid(child, 0)[1]
met("touched", signal.Signals(os.WTERMSIG(status)).name if os.WIFSIGNALED(status) else "worked")
met("survivor", "allowed")
