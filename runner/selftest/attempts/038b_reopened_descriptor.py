# attempt: 38 get more from a descriptor by opening it again through /proc
# SPDX-License-Identifier: MIT
# group: files
# expect: input_for_writing=EROFS library_for_writing=EACCES|EROFS|ETXTBSY linker=EACCES|EROFS|ETXTBSY library_mode=EROFS
# works: never no switch takes the read-only mounts away; without them the mode would say worked or EPERM, never EROFS
import os

with open("/proc/self/maps") as maps:
    linker = next(line.split()[-1] for line in maps if "ld-" in line or "libc" in line)
synthetic = os.open("/etc/hosts", os.O_RDONLY)
library = os.open(os.__file__, os.O_RDONLY)

# A descriptor that was opened for reading, opened again for writing.
attempt("input_for_writing", os.open, f"/proc/self/fd/{synthetic}", os.O_WRONLY)
attempt("library_for_writing", os.open, f"/proc/self/fd/{library}", os.O_WRONLY)
attempt("linker", os.open, linker, os.O_WRONLY)
attempt("library_mode", os.chmod, f"/proc/self/fd/{library}", os.fstat(library).st_mode & 0o7777)
