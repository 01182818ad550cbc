# attempt: 173 read the host's /etc: users, machine-id, search domains, network
# SPDX-License-Identifier: MIT
# group: information
# expect: users=own groups=own machine_id=ENOENT bus_id=ENOENT passwords=ENOENT name_servers=none
# expect: hosts=own mounts=ENOENT ssh=ENOENT tokens=ENOENT packages=ENOENT login=ENOENT zone=utc
# works: plain
import os
import time


def read(path):
    with open(path, "rb") as file:
        return file.read(4096)


def names(path):
    return {line.split(b":")[0] for line in read(path).splitlines()}


met("users", "own" if names("/etc/passwd") <= {b"root", b"sandbox", b"nobody"} else "worked")
met("groups", "own" if names("/etc/group") <= {b"root", b"sandbox", b"nogroup"} else "worked")
attempt("machine_id", read, "/etc/machine-id")
attempt("bus_id", read, "/var/lib/dbus/machine-id")
attempt("passwords", read, "/etc/shadow")
try:
    servers = read("/etc/resolv.conf").split()
except OSError:
    servers = []
met("name_servers", "worked" if {b"nameserver", b"search", b"domain"} & set(servers) else "none")
hosts = {word for line in read("/etc/hosts").splitlines() for word in line.split()}
met("hosts", "own" if hosts <= {b"127.0.0.1", b"::1", b"localhost", b"sandbox"} else "worked")
attempt("mounts", read, "/etc/fstab")
attempt("ssh", os.listdir, "/etc/ssh")
attempt("tokens", os.listdir, "/run/secrets")
attempt("packages", os.listdir, "/etc/apt")
attempt("login", read, "/var/run/utmp")
met("zone", "utc" if time.localtime().tm_gmtoff == 0 else "worked")
