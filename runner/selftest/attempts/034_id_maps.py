# attempt: 34 map other users into the user namespace
# SPDX-License-Identifier: MIT
# group: privileges
# expect: new_namespace=EPERM uid_map=EROFS gid_map=EROFS projid_map=EROFS setgroups=EROFS after=1
# without seccomp: new_namespace=ENOSPC
# works: plain
import os

NUMBER = {"x86_64": 272, "aarch64": 97}[os.uname().machine]


def write(path, text):
    with open(path, "w") as file:
        file.write(text)


def map_in_new_namespace():
    """In a child, so that this process keeps its own."""
    uid = os.getuid()
    child = os.fork()
    if child == 0:
        try:
            syscall(NUMBER, 0x10000000)
            write("/proc/self/uid_map", f"0 {uid} 1\n")
            os._exit(0)
        except OSError as error:
            os._exit(error.errno)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if code:
        raise OSError(code, os.strerror(code))


attempt("new_namespace", map_in_new_namespace)
attempt("uid_map", write, "/proc/self/uid_map", "0 0 4294967295\n")
attempt("gid_map", write, "/proc/self/gid_map", "0 0 4294967295\n")
attempt("projid_map", write, "/proc/self/projid_map", "0 0 4294967295\n")
attempt("setgroups", write, "/proc/self/setgroups", "allow\n")
with open("/proc/self/uid_map") as file:
    met("after", sum(int(line.split()[2]) for line in file))
