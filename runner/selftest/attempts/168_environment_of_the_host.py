# attempt: 168 read the host's environment: tokens, paths, the user's name
# SPDX-License-Identifier: MIT
# group: information
# expect: names=known values=no_host_path start=known init=EPERM|EACCES|ENOENT
# works: plain
import os

KNOWN = {
    "HOME", "LANG", "LC_CTYPE", "MALLOC_ARENA_MAX", "MKL_NUM_THREADS", "MPLBACKEND", "NO_COLOR",
    "NUMEXPR_NUM_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "PATH", "PYTHONUNBUFFERED",
    "PYTHONDONTWRITEBYTECODE", "PYTHONNOUSERSITE", "PYTHON_COLORS", "TERM", "TMPDIR",
    "VECLIB_MAXIMUM_THREADS",
}


def word(names):
    return "known" if set(names) <= KNOWN else "worked"


# PATH names the image's own directories; every other value is a word or lies in /tmp.
paths = [value for name, value in os.environ.items()
         if name != "PATH" and "/" in value and not value.startswith("/tmp")]
met("names", word(os.environ))
met("values", "worked" if paths else "no_host_path")
with open("/proc/self/environ", "rb") as file:
    entries = file.read().split(b"\0")
met("start", word(entry.split(b"=")[0].decode() for entry in entries if entry))
attempt("init", lambda: open("/proc/1/environ", "rb").read())
