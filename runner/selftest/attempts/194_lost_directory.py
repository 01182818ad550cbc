# attempt: 194 stand in a directory of the host that was left open
# SPDX-License-Identifier: MIT
# group: control
# expect: directory=inside links=inside climbing=inside root=ours descriptors=inside
# works: never a directory that leaked in would be told by the kernel as "(unreachable)"
import os


def inside(path):
    return path.startswith("/") and "unreachable" not in path and "deleted" not in path


def same(one, other):
    return (one.st_dev, one.st_ino) == (other.st_dev, other.st_ino)


met("directory", "inside" if inside(os.getcwd()) and os.path.isdir(os.getcwd()) else "worked")
links = [os.readlink("/proc/self/" + name) for name in ("cwd", "root", "exe")]
met("links", "inside" if all(map(inside, links)) and links[1] == "/" else "worked")
here = os.open(".", os.O_RDONLY)
for _ in range(64):
    os.chdir("..")
met("climbing", "inside" if os.getcwd() == "/" and same(os.stat("."), os.stat("/")) else "worked")
met("root", "ours" if same(os.stat("/.."), os.stat("/")) else "worked")
os.close(here)
folders = []
for name in os.listdir("/proc/self/fd"):
    try:
        if os.path.isdir("/proc/self/fd/" + name):
            folders.append(os.readlink("/proc/self/fd/" + name))
    except FileNotFoundError:
        pass  # the one that the listing itself had open
met("descriptors", "inside" if not [f for f in folders if "/fd" not in f] else "worked")
