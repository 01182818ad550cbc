# attempt: 44 write to the cgroup's files
# SPDX-License-Identifier: MIT
# group: privileges
# expect: tree=ENOENT procs=ENOENT release_agent=ENOENT memory_max=ENOENT v2=EPERM v1=EPERM mounted=none path=hidden
# works: plain
import os
import tempfile

MOUNT, UMOUNT = {"x86_64": (165, 166), "aarch64": (40, 39)}[os.uname().machine]


def mount(kind, options):
    """On a directory of its own, and gone again at once."""
    place = tempfile.mkdtemp().encode()
    try:
        syscall(MOUNT, b"none", place, kind, 0, options)
        syscall(UMOUNT, place, 2)
    finally:
        os.rmdir(place)


attempt("tree", os.listdir, "/sys/fs/cgroup")
for label, name in {"procs": "cgroup.procs", "release_agent": "memory/release_agent",
                    "memory_max": "memory.max"}.items():
    attempt(label, lambda: os.close(os.open("/sys/fs/cgroup/" + name, os.O_WRONLY)))
attempt("v2", mount, b"cgroup2", None)
attempt("v1", mount, b"cgroup", b"memory")
with open("/proc/self/mountinfo") as file:
    kinds = {line.split(" - ")[1].split()[0] for line in file}
FOREIGN = {"cgroup", "cgroup2", "sysfs", "securityfs", "debugfs"}
met("mounted", "none" if not kinds & FOREIGN else "worked")
# The namespace's own root: nothing is told of where on the host that lies.
with open("/proc/self/cgroup") as file:
    met("path", "hidden" if all(line.rstrip().endswith(":/") for line in file) else "worked")
