# attempt: 3 leave bytecode for the next run
# SPDX-License-Identifier: MIT
# group: files
# expect: cache=EROFS import_path=EROFS switch=on
# works: never no switch takes the read-only mounts away; without them the word would be worked or EACCES, never EROFS
import importlib.util
import os
import sys
import sysconfig


def create(path):
    os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    os.unlink(path)


cache = os.path.dirname(importlib.util.cache_from_source(os.__file__))
if os.path.isdir(cache):
    attempt("cache", create, os.path.join(cache, "sandbox_selftest_probe.pyc"))
else:
    attempt("cache", lambda: (os.mkdir(cache), os.rmdir(cache)))
attempt("import_path", create, sysconfig.get_path("stdlib") + "/sandbox_selftest_probe.pth")
met("switch", "on" if sys.dont_write_bytecode else "off")
