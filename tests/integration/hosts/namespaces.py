# Namespaces for the process that calls, as root or as an ordinary user. The command that it becomes
# is the first process of its pid namespace: when that ends, nothing of it is left.
# SPDX-License-Identifier: MIT
import os
import signal

import kernel


class CannotBeMade(Exception):
    """Why this machine, or this user, cannot take on the shape."""


def into_a_child() -> None:
    """Goes on in a child; this process waits for it, and ends as it did."""
    child = os.fork()
    if child == 0:
        kernel.prctl(kernel.PR_SET_PDEATHSIG, signal.SIGKILL)
        return
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda received, _: os.kill(child, received))
    _, status = os.waitpid(child, 0)
    code = os.waitstatus_to_exitcode(status)
    os._exit(code if code >= 0 else 128 - code)


def map_ids(lines: str) -> None:
    """A user namespace with these lines as its two maps; a child that stays outside writes them."""
    made, tell_made = os.pipe()
    written, tell_written = os.pipe()
    me = os.getpid()
    writer = os.fork()
    if writer == 0:
        os.close(tell_made)
        os.read(made, 1)
        try:
            if os.geteuid() != 0:
                kernel.write(f"/proc/{me}/setgroups", "deny\n")
            kernel.write(f"/proc/{me}/gid_map", lines)
            kernel.write(f"/proc/{me}/uid_map", lines)
            os.write(tell_written, b".")
        finally:
            os._exit(0)
    os.close(made)
    os.close(tell_written)
    try:
        kernel.unshare(kernel.CLONE_NEWUSER)
        os.write(tell_made, b".")
        done = os.read(written, 1)
    finally:
        os.close(tell_made)
        os.close(written)
        os.waitpid(writer, 0)
    if not done:
        raise CannotBeMade(f"the id map {lines!r} cannot be written")


def own_user_namespace() -> None:
    """Root stays root, with all of its ids and mounts of its own; anyone else stays who he is."""
    if os.geteuid() == 0:
        with open("/proc/self/uid_map", encoding="ascii") as file:
            ranges = [line.split() for line in file]
        map_ids("".join(f"{inside} {inside} {count}\n" for inside, _, count in ranges))
        kernel.unshare(kernel.CLONE_NEWNS)
        return
    if os.geteuid() != os.getegid():
        raise CannotBeMade("uid and gid of this user are not the same number")
    map_ids(f"{os.geteuid()} {os.geteuid()} 1\n")


def become_root_of(lines: str) -> None:
    """Root of a user namespace with these ids, and with mounts of its own."""
    map_ids(lines)
    kernel.unshare(kernel.CLONE_NEWNS)
    os.setresgid(0, 0, 0)
    os.setresuid(0, 0, 0)


def nest(levels_left: int) -> None:
    """User namespaces in one another, until the kernel allows only so many more."""
    for _ in range(40):  # the kernel's limit is 32
        if not can_nest(levels_left + 1):
            return
        own_user_namespace()
    raise CannotBeMade("40 nested user namespaces are still allowed")


def can_nest(levels: int) -> bool:
    child = os.fork()
    if child == 0:
        try:
            for _ in range(levels):
                own_user_namespace()
            os._exit(0)
        except OSError:
            os._exit(1)
    return os.waitpid(child, 0)[1] == 0


def own_mounts() -> None:
    if os.geteuid() != 0:
        own_user_namespace()
    kernel.unshare(kernel.CLONE_NEWNS)
    kernel.mount("none", "/", flags=kernel.MS_REC | kernel.MS_PRIVATE)


def own_processes() -> None:
    """A mount and a pid namespace with a fresh /proc, as a container has."""
    own_mounts()
    kernel.unshare(kernel.CLONE_NEWPID)
    into_a_child()
    kernel.mount("proc", "/proc", "proc", kernel.MS_NOSUID | kernel.MS_NODEV | kernel.MS_NOEXEC)


def make_read_only(path: str) -> None:
    kernel.mount(path, path, flags=kernel.MS_BIND | kernel.MS_REC)
    kernel.mount("none", path, flags=kernel.MS_REMOUNT | kernel.MS_BIND | kernel.MS_RDONLY
                 | kernel.MS_NOSUID | kernel.MS_NODEV | kernel.MS_NOEXEC)


def cover(path: str) -> None:
    """An empty read-only directory, or an empty file, in its place; nothing where nothing is."""
    if os.path.isdir(path):
        kernel.mount("tmpfs", path, "tmpfs", kernel.MS_RDONLY)
    elif os.path.exists(path):
        kernel.mount("/dev/null", path, flags=kernel.MS_BIND)
