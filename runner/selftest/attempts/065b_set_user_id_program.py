# attempt: 65 become root by a set-user-id program of the image
# SPDX-License-Identifier: MIT
# group: privileges
# expect: privilege=none
# works: vm run by an ordinary user outside of any sandbox, where su is root's
import os
import shutil
import stat
import subprocess

if os.geteuid() == 0:
    os.setuid(65534)  # outside of any sandbox: root has nothing to gain
got = "none"
for name in filter(None, map(shutil.which, ("su", "mount", "umount", "passwd", "chsh", "newgrp"))):
    if not os.stat(name).st_mode & (stat.S_ISUID | stat.S_ISGID):
        continue
    # The loader prints its start values, except in a program that has just got more rights.
    run = subprocess.run([name, "--help"], env={"LD_SHOW_AUXV": "1"}, capture_output=True,
                         stdin=subprocess.DEVNULL, timeout=5, check=False)
    printed = run.stdout.decode("latin-1")
    lines = dict(line.split(":", 1) for line in printed.splitlines() if line.startswith("AT_"))
    if lines.get("AT_SECURE", "1").strip() != "0" or int(lines["AT_EUID"]) != os.getuid():
        got = "worked"
met("privilege", got)
