# attempt: 83 search the host's key rings
# SPDX-License-Identifier: MIT
# group: calls
# critical: yes
# expect: found=EPERM session=EPERM user=EPERM user_session=EPERM
# expect: by_request=EPERM join=EPERM add=EPERM
# without seccomp: found=ENOKEY|ENOSYS session=empty|ENOSYS user=empty|ENOSYS user_session=empty|ENOSYS by_request=ENOKEY|ENOSYS join=empty|ENOSYS add=allowed|ENOSYS
# works: plain
import ctypes
import errno
import os

X86 = os.uname().machine == "x86_64"
ADD_KEY, REQUEST_KEY, KEYCTL = (248, 249, 250) if X86 else (217, 218, 219)
JOIN, SEARCH, READ = 1, 10, 11
SESSION, USER, USER_SESSION = -3, -4, -5


def links(ring, own=0):
    """Tells whether a ring holds more than the kernel itself has put there."""
    size = syscall(KEYCTL, READ, ring, ctypes.create_string_buffer(4096), 4096, 0)
    return "empty" if size <= 4 * own else "worked"


def join():
    """A ring of that name, or a new one if there is none to be had."""
    syscall(KEYCTL, JOIN, b"_uid_ses.0")
    return links(SESSION)


def tell(label, action, *arguments):
    try:
        met(label, action(*arguments))
    except OSError as error:
        empty = error.errno in (errno.ENOKEY, errno.EACCES)
        met(label, "empty" if empty else errno.errorcode[error.errno])


def add(ring):
    return syscall(ADD_KEY, b"user", b"selftest:key", b"secret", 6, ring)


if os.getuid() == 0:  # the control has a host's key to find
    add(USER)
attempt("found", syscall, KEYCTL, SEARCH, USER, b"user", b"selftest:key", 0)
attempt("by_request", syscall, REQUEST_KEY, b"user", b"selftest:key", None, 0)
tell("session", links, SESSION)
tell("user", links, USER)
tell("user_session", links, USER_SESSION, 1)  # it holds the ring of the user
tell("join", join)
try:
    add(-2)  # the ring of this process alone
    met("add", "allowed")
except OSError as error:
    met("add", errno.errorcode[error.errno])
