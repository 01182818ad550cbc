# attempt: 62 change the names of the machine
# SPDX-License-Identifier: MIT
# group: privileges
# critical: yes
# expect: sethostname=EPERM setdomainname=EPERM
# works: plain
import os
import socket

X86 = os.uname().machine == "x86_64"
if os.getpid() < 1000:  # else in no pid namespace, so perhaps in no uts namespace either
    attempt("sethostname", socket.sethostname, "other")
    attempt("setdomainname", syscall, 171 if X86 else 162, b"other", 5)
