# attempt: 100 start threads without end
# SPDX-License-Identifier: MIT
# group: processes
# expect: threads=EAGAIN number=within
# limits: processes=32
# works: plain
import threading

threading.stack_size(256 * 1024)
end = threading.Event()
number = 0
try:
    for number in range(300):
        threading.Thread(target=end.wait, args=(10,), daemon=True).start()
    met("threads", "worked")
except RuntimeError:  # how Python tells that no thread could be made
    met("threads", "EAGAIN")
met("number", "within" if number <= 32 else "worked")
end.set()
