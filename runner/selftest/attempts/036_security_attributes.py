# attempt: 36 change the security label of the process
# SPDX-License-Identifier: MIT
# group: proc
# expect: current=EROFS|ENOENT exec=EROFS|ENOENT prev=EROFS|ENOENT|EACCES fscreate=EROFS|ENOENT keycreate=EROFS|ENOENT
# expect: sockcreate=EROFS|ENOENT apparmor_current=EROFS|ENOENT apparmor_exec=EROFS|ENOENT
# works: never a label that can be changed needs a host with AppArmor or SELinux and a profile that permits it
def write(path):
    with open(path, "w") as file:
        file.write("changeprofile unconfined\0")


NAMES = "current exec prev fscreate keycreate sockcreate apparmor/current apparmor/exec"
for name in NAMES.split():
    attempt(name.replace("/", "_"), write, "/proc/self/attr/" + name)
