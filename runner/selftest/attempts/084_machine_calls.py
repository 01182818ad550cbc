# attempt: 84 load modules or kernels, reboot, change swap, quota or accounting, reach ports
# SPDX-License-Identifier: MIT
# group: calls
# expect: port=EPERM|ENOSYS all_ports=EPERM|ENOSYS init_module=EPERM finit_module=EPERM
# expect: delete_module=EPERM kexec=EPERM|ENOSYS kexec_file=EPERM|ENOSYS reboot=EPERM
# expect: swapon=EPERM swapoff=EPERM acct=EPERM quota=EPERM quota_fd=ENOSYS
# works: vm needs root of the host, on x86-64
import os

X86 = os.uname().machine == "x86_64"


def call(label, x86, arm, *arguments):
    attempt(label, syscall, x86 if X86 else arm, *arguments)


# Every argument is wrong, so that even root would be refused; asking for a port alone is not.
call("port", 173, 9999, 0x80, 1, 1)
call("all_ports", 172, 9999, 1)
call("init_module", 175, 105, None, 0, None)
call("finit_module", 313, 273, -1, b"", 0)
call("delete_module", 176, 106, b"no such module", os.O_NONBLOCK)
call("kexec", 246, 104, 0, 0, None, 0xFFFF)
call("kexec_file", 320, 294, -1, -1, 0, b"", 0xFFFF)
call("reboot", 169, 142, 0, 0, 0, None)
call("swapon", 167, 224, b"/no/such/file", 0)
call("swapoff", 168, 225, b"/no/such/file")
call("acct", 163, 89, b"/no/such/file")
call("quota", 179, 60, 0x80000700, b"/no/such/device", 0, None)
call("quota_fd", 443, 443, -1, 0x80000700, 0, None)
