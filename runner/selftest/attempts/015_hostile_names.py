# attempt: 15 file names that deceive a reader
# SPDX-License-Identifier: MIT
# group: files
# expect: names=allowed nul=cut slash=ENOENT dots=EEXIST
# works: never every name but these is the guest's right; that the host escapes them is in tests/integration/runner/files_test.cpp
import os

NUMBER = {"x86_64": 257, "aarch64": 56}[os.uname().machine]
NAMES = [b"new\nline", b"\x1b]0;title\x07\x1b[2J", b"not-utf8-\xff\xfe", b"\xff" * 255,
         "gpj.\u202eexe".encode(), "..\u2024".encode(), "\u2025".encode(), b".. ", b"...", b"-rf",
         b"$(id)", b"`id`", b"a\\b", b"C:\\x", b"CON", b" ", b"\xc0\xae\xc0\xae", b"%2e%2e%2f",
         b"@@ x"]

for name in NAMES:
    os.close(os.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
met("names", "allowed" if set(NAMES) <= set(os.listdir(b".")) else "missing")
# A NUL ends the name: nothing after it reaches the kernel.
syscall(NUMBER, -100, b"before\0after", os.O_WRONLY | os.O_CREAT, 0o600)
met("nul", "cut" if b"before" in os.listdir(b".") else "missing")
attempt("slash", os.open, "no-directory/../../x", os.O_WRONLY | os.O_CREAT)
attempt("dots", os.mkdir, "..")
