# attempt: 164 leave threads, exit hooks and replaced functions for whoever reports the result
# SPDX-License-Identifier: MIT
# group: ipc
# expect: tampered=allowed
# limits: processes=16 timeout=10s
# works: never it is allowed; what tells the result is no part of this process
import atexit
import builtins
import json
import os
import sys
import threading
import time


def lie(*_arguments, **_named):
    return '{"outcome": "exited", "exit_code": 99}'


class Mute:
    def __getattr__(self, _name):
        return lambda *arguments, **named: 0


threading.Thread(target=time.sleep, args=(60,), daemon=True).start()
atexit.register(lambda: os.write(2, b'{"outcome": "timeout"}\n'))
met("tampered", "allowed")
json.dumps = json.dump = lie
builtins.print = builtins.open = lie
sys.excepthook = sys.unraisablehook = lie
sys.stdout = sys.__stdout__ = sys.stderr = Mute()
sys.exit = lie
sys.modules["json"] = sys.modules["sandbox"] = Mute()
sys.setprofile(lie)
sys.meta_path.clear()
