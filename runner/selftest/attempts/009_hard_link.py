# attempt: 9 hard link a file of the system into the working directory
# SPDX-License-Identifier: MIT
# group: files
# expect: link=EXDEV link_by_descriptor=EXDEV|ENOENT|EPERM link_by_proc=EXDEV moved=EXDEV from_tmp=EXDEV
# works: never the host's protected_hardlinks refuses it everywhere else with EPERM, which is not accepted for the first
import os

library = os.__file__
descriptor = os.open(library, os.O_RDONLY)
AT_EMPTY_PATH, AT_SYMLINK_FOLLOW = 0x1000, 0x400
NUMBER = {"x86_64": 265, "aarch64": 37}[os.uname().machine]

attempt("link", os.link, library, "/work/linked")
attempt("link_by_descriptor", syscall, NUMBER, descriptor, b"", -100, b"/work/linked",
        AT_EMPTY_PATH)
attempt("link_by_proc", syscall, NUMBER, -100, b"/proc/self/fd/%d" % descriptor, -100,
        b"/work/linked", AT_SYMLINK_FOLLOW)
attempt("moved", os.rename, "/etc/passwd", "/work/passwd")
open("/tmp/own", "w").close()
attempt("from_tmp", os.link, "/tmp/own", "/work/own")
