# attempt: 93 kill every process that can be reached
# SPDX-License-Identifier: MIT
# group: processes
# expect: everybody=allowed own_children=gone self=alive result=delivered
# works: never a pid namespace always bounds whom it reaches
import os
import signal

if 1 < os.getpid() < 1000:  # else this is no pid namespace of its own
    child = os.fork()
    if child == 0:
        signal.alarm(10)
        signal.pause()
    try:
        os.kill(-1, signal.SIGKILL)
        met("everybody", "allowed")
    except OSError as error:
        met("everybody", str(error.errno))
    status = os.waitpid(child, 0)[1]
    met("own_children", "gone" if os.WIFSIGNALED(status) else "alive")
    met("self", "alive")
    met("result", "delivered")
