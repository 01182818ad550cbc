# attempt: 134 ask for the address of a name
# SPDX-License-Identifier: MIT
# group: network
# critical: yes
# expect: name=no_answer reverse=no_answer at_once=yes dns_server=EAFNOSUPPORT
# without seccomp: dns_server=ENETUNREACH
# works: never a name server would have to answer, and no test may reach one
import socket
import time

"x".encode("idna")  # what is loaded once is not the resolver's time


def ask(label, question, *arguments):
    try:
        question(*arguments)
        met(label, "worked")
    except OSError:
        met(label, "no_answer")


def server():
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as one:
        one.settimeout(2)
        one.connect(("192.0.2.53", 53))


best = 60.0
for turn in range(3):  # a busy machine may be slow once
    start = time.monotonic()
    try:
        socket.getaddrinfo("example.com", 443)
    except OSError:
        pass
    best = min(best, time.monotonic() - start)
ask("name", socket.getaddrinfo, "example.com", 443)
ask("reverse", socket.gethostbyaddr, "192.0.2.1")
met("at_once", "yes" if best < 0.1 else "no")
attempt("dns_server", server)
