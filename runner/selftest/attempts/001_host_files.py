# attempt: 1 read files of the host
# SPDX-License-Identifier: MIT
# group: files
# expect: host_logs=ENOENT shadow=ENOENT ssh_key=ENOENT host_home=ENOENT os_release=ENOENT docker_socket=ENOENT
# works: plain
import os

attempt("host_logs", os.listdir, "/var/log")
attempt("shadow", os.open, "/etc/shadow", os.O_RDONLY)
attempt("ssh_key", os.open, "/root/.ssh/id_rsa", os.O_RDONLY)
# /home itself may stand there, empty, when the interpreter lies in a home directory.
attempt("host_home", os.open, "/home/canary/secret", os.O_RDONLY)
attempt("os_release", os.open, "/etc/os-release", os.O_RDONLY)
attempt("docker_socket", os.stat, "/run/docker.sock")
