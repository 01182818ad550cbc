# attempt: 169 read host paths and device names from the list of mounts
# SPDX-License-Identifier: MIT
# group: information
# expect: strangers=none sources=neutral roots=image init=EPERM|EACCES|ENOENT partitions=ENOENT
# expect: devices=residual|none file_systems=ENOENT
# works: plain
import os

KINDS = ("/sys", "/boot", "/dev/pts", "/dev/mqueue", "/dev/hugepages", "/run/user", "/run/lock")
with open("/proc/self/mountinfo") as file:
    mounts = [line.split() for line in file]
strangers = [words[4] for words in mounts if words[4].startswith(KINDS)]
met("strangers", "worked" if strangers else "none")
own, host, roots = [], [], []
for words in mounts:
    kind, source = words[words.index("-") + 1:][:2]
    if kind in ("tmpfs", "proc"):
        own.append(source)
    elif kind != "devtmpfs":
        host.append(source)
        # The image's own directories end alike inside and outside; a whole image is mounted at /.
        outside, inside = words[3:5]
        if not (inside.endswith(outside) or outside.endswith(inside) or inside == "/"):
            roots.append(outside)
met("sources", "neutral" if set(own) <= {"sandbox", "proc", "tmpfs"} else "worked")
met("roots", "worked" if roots else "image")
# Which device the image lies on is known to be visible.
met("devices", "residual" if any(source.startswith("/dev/") for source in host) else "none")
attempt("init", lambda: open("/proc/1/mountinfo").read())
attempt("partitions", open, "/proc/partitions")
attempt("file_systems", open, "/proc/filesystems")
