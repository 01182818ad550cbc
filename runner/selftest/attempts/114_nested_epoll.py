# attempt: 114 epoll sets inside of epoll sets: loops, deep chains, wide fans
# SPDX-License-Identifier: MIT
# group: exhaustion
# expect: loop=ELOOP deep=ELOOP|EINVAL wide=EINVAL|EMFILE
# limits: open_files=1024 timeout=10s
# works: never the kernel itself refuses; what counts is that the answer comes at once
import os
import select


def loop():
    one, other = select.epoll(), select.epoll()
    one.register(other, select.EPOLLIN)
    other.register(one, select.EPOLLIN)


def deep():
    below = select.epoll()
    kept = [below]
    for _ in range(8):
        above = select.epoll()
        above.register(below, select.EPOLLIN)
        kept.append(above)
        below = above


def wide():
    target, _end = os.pipe()
    top = select.epoll()
    kept = []
    for _ in range(600):
        middle = select.epoll()
        kept.append(middle)
        middle.register(target, select.EPOLLIN)
        top.register(middle, select.EPOLLIN)


attempt("loop", loop)
attempt("deep", deep)
attempt("wide", wide)
