# attempt: 13 rename, remove or close the working directory
# SPDX-License-Identifier: MIT
# group: files
# expect: renamed=EROFS removed=EROFS replaced=EROFS closed=allowed closed_for_itself=EACCES
# works: never no switch takes the read-only root away; without it the words would be worked, EBUSY or ENOTEMPTY
import os

# To its own name, while it is not empty, over one that is not empty: no harm done where it would work.
attempt("renamed", os.rename, "/work", "/work")
attempt("removed", os.rmdir, "/work")
attempt("replaced", os.rename, "/tmp", "/work")

# It is the guest's own directory. What the host reads then has a test of its own.
os.chmod("/work", 0)
met("closed", "allowed" if os.stat("/work").st_mode & 0o777 == 0 else "ignored")
attempt("closed_for_itself", os.listdir, "/work")
os.chmod("/work", 0o700)
