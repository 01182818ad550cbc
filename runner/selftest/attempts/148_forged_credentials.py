# attempt: 148 send the process number or user of somebody else as one's own credentials
# SPDX-License-Identifier: MIT
# group: network
# expect: pid=EPERM init=EPERM user=EINVAL|EPERM group=EINVAL|EPERM own=allowed peer=own
# works: plain
import os
import signal
import socket
import struct

SO_PASSCRED, SCM_CREDENTIALS, SO_PEERCRED = 16, 2, 17
one, other = socket.socketpair()
other.setsockopt(socket.SOL_SOCKET, SO_PASSCRED, 1)
child = os.fork()
if child == 0:
    signal.pause()


def send(pid, user, group):
    words = struct.pack("iII", pid, user, group)
    one.sendmsg([b"x"], [(socket.SOL_SOCKET, SCM_CREDENTIALS, words)])


me, user, group = os.getpid(), os.getuid(), os.getgid()
attempt("pid", send, child, user, group)
# Where this program is process 1 itself, the next is its own number.
attempt("init", send, 1, user, group)
attempt("user", send, me, user + 1, group)
attempt("group", send, me, user, group + 1)
send(me, user, group)
met("own", "allowed")
peer = struct.unpack("iII", one.getsockopt(socket.SOL_SOCKET, SO_PEERCRED, 12))
met("peer", "own" if peer == (me, user, group) else "worked")
os.kill(child, signal.SIGKILL)
os.waitpid(child, 0)
