# attempt: 129 leave an archive in /work that is huge for whoever unpacks it
# SPDX-License-Identifier: MIT
# group: exhaustion
# expect: left=allowed
# limits: memory=128M timeout=15s
# works: never it is a small file like any other; that the host never unpacks is tested on the host
import os
import zipfile

where = "/work" if os.access("/work", os.W_OK) else "/tmp"
path = os.path.join(where, "report.zip")
with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
    with archive.open("../../report.txt", "w") as entry:
        for _ in range(100):
            entry.write(bytes(1 << 20))
met("left", "allowed" if os.path.getsize(path) < 1 << 20 else "large")
if where != "/work":
    os.unlink(path)
