# attempt: 50 take, leave or reprogram a terminal
# SPDX-License-Identifier: MIT
# group: devices
# expect: take=ENOTTY|ENOENT tiocsctty=ENOTTY tiocnotty=ENOTTY tiocsetd=ENOTTY tioccons=ENOTTY tiocspgrp=ENOTTY
# expect: tcsets=ENOTTY tiocswinsz=ENOTTY kdsetkeycode=ENOTTY kdskbent=ENOTTY kdsetmode=ENOTTY vt_activate=ENOTTY
# works: plain
import fcntl
import os

REQUESTS = {"TIOCSCTTY": 0x540E, "TIOCNOTTY": 0x5422, "TIOCSETD": 0x5423, "TIOCCONS": 0x541D,
            "TIOCSPGRP": 0x5410, "TCSETS": 0x5402, "TIOCSWINSZ": 0x5414, "KDSETKEYCODE": 0x4B4D,
            "KDSKBENT": 0x4B47, "KDSETMODE": 0x4B3A, "VT_ACTIVATE": 0x5606}


def take():
    """In a session of its own, with a terminal of its own or, without one, standard input."""
    child = os.fork()
    if child == 0:
        try:
            os.setsid()
            try:
                terminal = os.openpty()[1]
            except OSError:
                terminal = 0
            fcntl.ioctl(terminal, REQUESTS["TIOCSCTTY"], 0)
            os._exit(0)
        except OSError as error:
            os._exit(error.errno)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if code:
        raise OSError(code, os.strerror(code))


attempt("take", take)
for name, number in REQUESTS.items():
    attempt(name.lower(), fcntl.ioctl, 0, number, 0)
