# attempt: 171 learn which user one is outside, and what else is mapped
# SPDX-License-Identifier: MIT
# group: information
# expect: users=one groups=one outside=nothing|accepted levels=one supplementary=none
# expect: init_map=EPERM|EACCES|ENOENT owner_of_image=nobody|self
# works: never one number is seen by design; a range would be a mistake of the set-up
import os


def table(name):
    with open("/proc/self/" + name) as file:
        return [[int(word) for word in line.split()] for line in file]


users, groups = table("uid_map"), table("gid_map")
met("users", "one" if len(users) == 1 and users[0][2] == 1 else "worked")
met("groups", "one" if len(groups) == 1 and groups[0][2] == 1 else "worked")
# Seen from the second user namespace, the number outside is the one of the first.
met("outside", "nothing" if users[0][1] == users[0][0] == os.getuid() else "accepted")
with open("/proc/self/status") as file:
    status = dict(line.rstrip("\n").split(":", 1) for line in file)
met("levels", "one" if len(status["NSpid"].split()) == 1 else "worked")
met("supplementary", "worked" if status["Groups"].split() else "none")
attempt("init_map", lambda: open("/proc/1/uid_map").read())
owner = os.stat(os.__file__).st_uid
met("owner_of_image", {65534: "nobody", os.getuid(): "self"}.get(owner, "worked"))
