# attempt: 5 climb out of the working directory with ..
# SPDX-License-Identifier: MIT
# group: files
# expect: passwd=synthetic above_root=same_as_root
# works: plain
import os


def whose(path):
    with open(path) as file:
        lines = file.read().splitlines()
    return "synthetic" if len(lines) == 3 and lines[1].startswith("sandbox:x:1000:") else "worked"


met("passwd", whose("../" * 40 + "etc/passwd"))
met("above_root", "same_as_root" if os.path.samefile("/..", "/") and os.path.samefile("/../..", "/")
    else "worked")
