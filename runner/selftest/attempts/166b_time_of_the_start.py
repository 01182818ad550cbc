# attempt: 166 learn when the machine started by the times of files that are made at that moment
# SPDX-License-Identifier: MIT
# group: information
# expect: devices=residual process_files=young own_folders=young entropy=ENOENT
# works: never the devices are the machine's own, and carry the time of their making
import os
import time


def age(path):
    """In seconds, from the oldest of its times but the one of reading."""
    found = os.stat(path)
    return time.time() - min(found.st_ctime, found.st_mtime)


def word(*paths):
    return "young" if all(age(path) < 300 for path in paths) else "worked"


met("devices", "residual" if age("/dev/null") >= 0 else "none")
met("process_files", word("/proc", "/proc/self"))
met("own_folders", word("/work", "/tmp", "/dev/shm"))
attempt("entropy", open, "/proc/sys/kernel/random/uuid")
