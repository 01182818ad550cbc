# attempt: 152 find a descriptor of the host among one's own
# SPDX-License-Identifier: MIT
# group: network
# expect: descriptors=none standard=no_socket table=three directory=none
# works: never the host's half is needed; a test with two sides holds a connection open meanwhile
import os
import stat

found = set()
for number in range(3, 1024):
    try:
        os.fstat(number)
        found.add(number)
    except OSError:
        pass
met("descriptors", "worked" if found else "none")
kinds = [os.fstat(number).st_mode for number in range(3)]
met("standard", "worked" if any(stat.S_ISSOCK(kind) for kind in kinds) else "no_socket")
table = os.listdir("/proc/self/fd")  # with the one that reads the list
met("table", "three" if len(table) == 4 else "worked")
directory = [number for number in range(3) if stat.S_ISDIR(kinds[number])]
met("directory", "worked" if directory else "none")
