# attempt: 8 leave through /proc/self/root and /proc/self/cwd
# SPDX-License-Identifier: MIT
# group: files
# expect: root_parent=same_as_root cwd_parent=same_as_root task_root=same_as_root passwd=synthetic
# works: never both links lead to the caller's own root on any kernel; it shows that this is the new one
import os


def where(path):
    return "same_as_root" if os.path.samestat(os.stat(path), os.stat("/")) else "worked"


met("root_parent", where("/proc/self/root/.."))
met("cwd_parent", where("/proc/self/cwd" + "/.." * 40))
met("task_root", where(f"/proc/self/task/{os.getpid()}/root/../.."))
with open("/proc/self/root/../etc/passwd") as file:
    met("passwd", "synthetic" if "sandbox:x:1000:" in file.read() else "worked")
