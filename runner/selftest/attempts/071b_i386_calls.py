# attempt: 71 the call table of 32 bit programs, by int 0x80
# SPDX-License-Identifier: MIT
# group: privileges
# expect: int80=EACCES|SIGSYS|ENOSYS
# without write_xor_execute: int80=SIGSYS|ENOSYS
# works: plain
import ctypes
import mmap
import os
import signal

CODE = b"\xb8\x14\x00\x00\x00\xcd\x80\xc3"  # getpid of i386: mov eax,20; int 0x80; ret


def call_int80():
    page = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
    page.write(CODE)
    address = ctypes.addressof(ctypes.c_char.from_buffer(page))
    if ctypes.CFUNCTYPE(ctypes.c_int)(address)() != os.getpid():
        raise OSError("no pid")


if os.uname().machine != "x86_64":
    met("int80", "ENOSYS")
else:
    pid = os.fork()
    if pid == 0:
        attempt("int80", call_int80)
        os._exit(0)
    status = os.waitpid(pid, 0)[1]
    if os.WIFSIGNALED(status):  # by SIGSEGV: this kernel has no such way in
        name = signal.Signals(os.WTERMSIG(status)).name
        met("int80", "ENOSYS" if name == "SIGSEGV" else name)
