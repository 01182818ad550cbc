# attempt: 140 unix sockets inside of one sandbox, which programs need
# SPDX-License-Identifier: MIT
# group: network
# critical: yes
# expect: pair=allowed path=allowed abstract=allowed asyncio=allowed multiprocessing=allowed
# limits: timeout=20s
# works: never it is meant to work
import asyncio
import multiprocessing
import os
import socket
import tempfile


def talk(address):
    with socket.socket(socket.AF_UNIX) as server, socket.socket(socket.AF_UNIX) as client:
        server.bind(address)
        server.listen()
        client.connect(address)
        client.sendall(b"x")
        return server.accept()[0].recv(1) == b"x"


def pair():
    one, other = socket.socketpair()
    one.sendall(b"x")
    return other.recv(1) == b"x"


def answer(pipe):
    pipe.send(os.getpid())


def child():
    here, there = multiprocessing.Pipe()
    process = multiprocessing.get_context("fork").Process(target=answer, args=(there,))
    process.start()
    process.join()
    return here.recv() == process.pid


def told(label, action, *arguments):
    met(label, "allowed" if action(*arguments) else "wrong")


told("pair", pair)
told("path", talk, os.path.join(tempfile.mkdtemp(), "socket"))
told("abstract", talk, b"\0selftest-140")
told("asyncio", lambda: asyncio.run(asyncio.sleep(0, True)))
told("multiprocessing", child)
