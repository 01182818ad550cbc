# attempt: 6 find a directory of the host through a descriptor
# SPDX-License-Identifier: MIT
# group: files
# expect: inherited=none parent_of_root=same_as_root climbed=same_as_root
# works: never a parent of the root directory does not exist on any kernel; it shows that "/" is not on top of another root
import os


def is_open(number):
    try:
        os.fstat(number)
        return True
    except OSError:
        return False


met("inherited", "none" if not any(is_open(n) for n in range(3, 1024)) else "worked")

root = os.stat("/")
here = os.open("/", os.O_PATH | os.O_DIRECTORY)
above = os.open("..", os.O_PATH | os.O_DIRECTORY, dir_fd=here)
met("parent_of_root", "same_as_root" if os.path.samestat(os.fstat(above), root) else "worked")
for _ in range(100):
    above = os.open("..", os.O_PATH | os.O_DIRECTORY, dir_fd=above)
met("climbed", "same_as_root" if os.path.samestat(os.fstat(above), root) else "worked")
