# attempt: 76 let the image's loader start a program or a library that was written to disk
# SPDX-License-Identifier: MIT
# group: privileges
# expect: library=refused by_loader=refused file_mapping=EPERM
# works: without no_exec,landlock
import ctypes
import glob
import mmap
import os
import shutil
import subprocess
import sys
import tempfile

PROGRAM = os.path.realpath(shutil.which("true") or sys.executable)
with open("/proc/self/maps", encoding="ascii", errors="replace") as maps:
    LIBC = next(line.split()[-1] for line in maps if "libc.so" in line or "libc-" in line
                or "ld-musl" in line)
place = tempfile.mkdtemp()
mine = shutil.copyfile(PROGRAM, place + "/program")
library = shutil.copyfile(LIBC, place + "/library.so")
os.chmod(mine, 0o755)
try:
    ctypes.CDLL(library)
    met("library", "worked")
except OSError:
    met("library", "refused")
loader = next(name for form in ("/lib64/ld-linux-*", "/lib/ld-linux-*", "/lib/ld-musl-*")
              for name in glob.glob(form))
done = subprocess.run([loader, mine], stdin=subprocess.DEVNULL, capture_output=True, check=False)
met("by_loader", "worked" if done.returncode == 0 else "refused")
with open(mine, "rb") as file:
    attempt("file_mapping", mmap.mmap, file.fileno(), 4096, mmap.MAP_PRIVATE,
            mmap.PROT_READ | mmap.PROT_EXEC)
