# attempt: 186 leave too many files, too deep, with names that are too long
# SPDX-License-Identifier: MIT
# group: read_out
# expect: small_files=ENOSPC deep=allowed names=allowed
# limits: work=256M
# works: without inode_limits
import os


def small_files():
    for number in range(80000):
        os.close(os.open(f"many/{number}", os.O_CREAT | os.O_WRONLY))


os.mkdir("many")
attempt("small_files", small_files)
if not os.path.exists("many/79999"):
    for number in range(12000):
        os.unlink(f"many/{number}")
place = os.open(".", os.O_RDONLY | os.O_DIRECTORY)
for _ in range(10000):
    os.mkdir("d")
    os.chdir("d")
os.fchdir(place)
met("deep", "allowed")
for number in range(500):
    os.close(os.open(f"{number:03}" + "\N{SNOWMAN}" * 84, os.O_CREAT | os.O_WRONLY))
met("names", "allowed")
