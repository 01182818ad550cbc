# attempt: 14 paths that are too long and too deep
# SPDX-License-Identifier: MIT
# group: files
# expect: component_255=allowed component_256=ENAMETOOLONG path_4095=allowed path_4096=ENAMETOOLONG depth_10000=allowed
# limits: work=256M
# works: never the kernel's own limits; that teardown and read-out stand it is in tests/integration/runner/files_test.cpp
import os


def create(path):
    os.close(os.open(path, os.O_WRONLY | os.O_CREAT, 0o600))
    return "allowed"


met("component_255", create("c" * 255))
attempt("component_256", create, "c" * 256)
met("path_4095", create("./" * 2047 + "p"))
attempt("path_4096", create, "./" * 2047 + "pp")

place = os.open(".", os.O_RDONLY | os.O_DIRECTORY)
for _ in range(10000):
    os.mkdir("d")
    os.chdir("d")
create("bottom")
os.fchdir(place)
met("depth_10000", "allowed" if os.path.isdir("d/" * 2000) else "missing")
