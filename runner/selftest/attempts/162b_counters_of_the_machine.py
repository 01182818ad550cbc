# attempt: 162 see others' activity by numbers that the kernel counts for the whole machine
# SPDX-License-Identifier: MIT
# group: ipc
# expect: processes=own pipe_numbers=residual mount_numbers=residual namespace_numbers=residual
# expect: descriptors=ENOENT inodes=ENOENT namespaces=ENOENT
# works: never such numbers are handed out by every kernel, in a sandbox or not
import os

child = os.fork()
if child == 0:
    os._exit(0)
os.waitpid(child, 0)
met("processes", "own" if child < 100 else "worked")
reader, writer = os.pipe()
met("pipe_numbers", "residual" if os.fstat(reader).st_ino else "none")
with open("/proc/self/mountinfo") as file:
    met("mount_numbers", "residual" if int(file.read().split()[0]) > 1 else "none")
met("namespace_numbers", "residual" if os.stat("/proc/self/ns/pid").st_ino else "none")
attempt("descriptors", open, "/proc/sys/fs/file-nr")
attempt("inodes", open, "/proc/sys/fs/inode-nr")
attempt("namespaces", open, "/proc/sys/user/max_user_namespaces")
