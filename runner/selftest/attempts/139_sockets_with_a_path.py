# attempt: 139 connect to sockets of the host's services
# SPDX-License-Identifier: MIT
# group: network
# critical: yes
# expect: docker=ENOENT docker_old=ENOENT containerd=ENOENT podman=ENOENT systemd=ENOENT bus=ENOENT
# expect: user_bus=ENOENT journal=ENOENT name_cache=ENOENT x11=ENOENT ssh_agent=ENOENT found=none
# works: never it depends on which services the machine has; a test with two sides brings its own
import os
import socket
import stat


def connect(path):
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as one:
        one.settimeout(2)
        one.connect(path)


attempt("docker", connect, "/run/docker.sock")
attempt("docker_old", connect, "/var/run/docker.sock")
attempt("containerd", connect, "/run/containerd/containerd.sock")
attempt("podman", connect, "/run/podman/podman.sock")
attempt("systemd", connect, "/run/systemd/private")
attempt("bus", connect, "/run/dbus/system_bus_socket")
attempt("user_bus", connect, "/run/user/1000/bus")
attempt("journal", connect, "/run/systemd/journal/stdout")
attempt("name_cache", connect, "/run/nscd/socket")
attempt("x11", connect, "/tmp/.X11-unix/X0")
attempt("ssh_agent", connect, os.environ.get("SSH_AUTH_SOCK", "/tmp/ssh-agent"))
found = "none"
for top in ("/run", "/var", "/tmp", "/dev", "/home", "/root", "/srv", "/mnt"):
    for folder, _, names in os.walk(top):
        for name in names:
            if stat.S_ISSOCK(os.lstat(os.path.join(folder, name)).st_mode):
                found = "worked"
met("found", found)
