# attempt: 177 leave links where the host looks for results
# SPDX-License-Identifier: MIT
# group: read_out
# critical: yes
# expect: absolute=allowed relative=allowed magic=allowed directory=allowed loop=ELOOP chain=allowed
# expect: hard_link=EXDEV read_through=synthetic
# works: never host-side checks in tests/integration/runner/files_test.cpp: no link is followed, each is told as a link
import os

LINKS = {"absolute": "/etc/passwd", "relative": "../../../../../../etc/passwd",
         "magic": "/proc/self/root/etc/passwd", "directory": "/etc", "chain": "chain-2"}

for label, target in LINKS.items():
    os.symlink(target, f"{label}.csv")
    met(label, "allowed" if os.readlink(f"{label}.csv") == target else "missing")
os.symlink("/etc/shadow", "chain-2")
os.symlink("loop.csv", "loop.csv")
attempt("loop", os.stat, "loop.csv")
attempt("hard_link", os.link, "/etc/passwd", "hard.csv")
# What the guest reads through them is its own tree's passwd, not the host's.
met("read_through", "synthetic" if "sandbox:x:1000:" in open("relative.csv").read() else "worked")
