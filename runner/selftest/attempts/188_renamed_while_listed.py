# attempt: 188 rename files while the directory is listed
# SPDX-License-Identifier: MIT
# group: read_out
# expect: renames=allowed listing_ends=allowed
# works: never host-side check in tests/integration/runner/files_test.cpp: a listing ends, at its cap at the latest
import os
import threading
import time

os.mkdir("shuffled")
for number in range(200):
    open(f"shuffled/{number}", "w").close()
stop = threading.Event()
count = 0


def shuffle():
    """A renamed file may come to the listing's front again."""
    global count
    while not stop.is_set():
        os.rename(f"shuffled/{count % 200}", "shuffled/away")
        os.rename("shuffled/away", f"shuffled/{count % 200}")
        count += 1


thread = threading.Thread(target=shuffle)
thread.start()
longest = 0
end = time.monotonic() + 1
while time.monotonic() < end:
    longest = max(longest, sum(1 for _ in os.scandir("shuffled")))
stop.set()
thread.join()
met("renames", "allowed" if count > 100 else "slow")
met("listing_ends", "allowed" if longest < 100000 else "worked")
