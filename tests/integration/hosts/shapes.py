# Shapes of hosts: what a process does to itself so that a command which it then becomes finds
# another host than this one. Nothing outside of the process and its namespaces changes.
# SPDX-License-Identifier: MIT
import dataclasses
import errno
import os
import resource
import signal
import tempfile
from collections.abc import Callable

import filters
import kernel
from filters import Refusal, refusals
from namespaces import (CannotBeMade, become_root_of, cover, into_a_child, make_read_only, map_ids,
                        nest, own_mounts, own_processes, own_user_namespace)


@dataclasses.dataclass(frozen=True)
class Shape:
    make: Callable[[], None]
    what: str


ALL: dict[str, Shape] = {}


def shape(name: str, what: str):
    def register(make: Callable[[], None]) -> Callable[[], None]:
        ALL[name] = Shape(make, what)
        return make
    return register


def filtered(name: str, what: str, *rules: Refusal) -> None:
    @shape(name, what)
    def _() -> None:
        if not filters.supported():
            raise CannotBeMade("the numbers of system calls are known for x86-64 and arm64 only")
        filters.install(list(rules))


def needs_root() -> None:
    if os.geteuid() != 0:
        raise CannotBeMade("only root can make this host")


# Kernels that are older, or built without something.
NOTHING_REFUSED = Refusal("keyctl", errno.ENOSYS, argument=0, value=0xFFFF)  # is no operation

filtered("as-it-is", "a filter that refuses nothing", NOTHING_REFUSED)
filtered("no-clone3", "before Linux 5.3, or hidden by a container's profile",
         *refusals(errno.ENOSYS, "clone3"))
filtered("clone3-forbidden", "a container engine that knows clone3 for a thing to forbid",
         *refusals(errno.EPERM, "clone3"))
filtered("no-openat2", "before Linux 5.6", *refusals(errno.ENOSYS, "openat2"))
filtered("no-close-range", "before Linux 5.9", *refusals(errno.ENOSYS, "close_range"))
filtered("no-pidfd-open", "before Linux 5.3", *refusals(errno.ENOSYS, "pidfd_open"))
filtered("no-pidfd-signal", "a profile that is older than the call",
         *refusals(errno.ENOSYS, "pidfd_send_signal"))
filtered("no-open-tree", "before Linux 5.2", *refusals(errno.ENOSYS, "open_tree"))
filtered("no-fsopen", "before Linux 5.2", *refusals(errno.ENOSYS, "fsopen"))
filtered("no-mount-setattr", "before Linux 5.12", *refusals(errno.ENOSYS, "mount_setattr"))
filtered("no-landlock", "before Linux 5.13",
         *refusals(errno.ENOSYS, "landlock_create_ruleset", "landlock_add_rule",
                   "landlock_restrict_self"))
filtered("landlock-switched-off", "landlock is missing in the lsm= list",
         *refusals(errno.EOPNOTSUPP, "landlock_create_ruleset", "landlock_add_rule",
                   "landlock_restrict_self"))
filtered("no-mdwe", "before Linux 6.3",
         Refusal("prctl", errno.EINVAL, argument=0, value=kernel.PR_SET_MDWE))
filtered("no-listener", "before Linux 5.0",
         Refusal("seccomp", errno.EINVAL, argument=1, any_bit=1 << 3))
filtered("another-listener", "an observing filter is in force already",
         Refusal("seccomp", errno.EBUSY, argument=1, any_bit=1 << 3))
filtered("no-seccomp", "a kernel without seccomp filters", *refusals(errno.ENOSYS, "seccomp"))
filtered("no-keyctl", "a kernel without keys", *refusals(errno.ENOSYS, "keyctl"))
filtered("no-time-namespace", "a kernel without time namespaces",
         Refusal("unshare", errno.EINVAL, argument=0, any_bit=0x80))
filtered("no-user-namespace", "a kernel without user namespaces",
         Refusal("unshare", errno.EINVAL, argument=0, any_bit=kernel.CLONE_NEWUSER))
filtered("no-memfd", "a kernel without memory files", *refusals(errno.ENOSYS, "memfd_create"))

# What container engines and security modules forbid.
filtered("docker", "Docker's default seccomp profile", *filters.DOCKER)
filtered("docker-clone3-known", "the same without its rule for clone3", *filters.DOCKER[1:])
filtered("podman", "podman's default seccomp profile",
         *refusals(errno.EPERM, "sethostname", "setdomainname"))
filtered("no-unshare", "systemd's RestrictNamespaces=yes",
         Refusal("unshare", errno.EPERM, argument=0, any_bit=filters.NAMESPACES),
         Refusal("clone", errno.EPERM, argument=0, any_bit=filters.NAMESPACES),
         *refusals(errno.ENOSYS, "clone3"), *refusals(errno.EPERM, "setns"))
filtered("mount-forbidden", "a profile that forbids mount", *refusals(errno.EPERM, "mount"))
filtered("setns-forbidden", "a profile that forbids setns", *refusals(errno.EPERM, "setns"))
filtered("mount-denied", "AppArmor lets a user namespace be made, but nothing be mounted in it",
         *refusals(errno.EACCES, "mount"))
# Nothing else that the command writes is five bytes long.
filtered("ubuntu", "AppArmor's restricted user namespaces: no map can be written",
         Refusal("write", errno.EACCES, argument=2, value=len("deny\n")))


@shape("already-filtered", "no_new_privs and a filter are in force, as under a hardened service")
def already_filtered() -> None:
    for _ in range(3):
        filters.install([NOTHING_REFUSED])


# What /proc, /sys and the directories around look like.

@shape("own-proc", "a container that covers nothing of /proc")
def own_proc() -> None:
    own_processes()


@shape("masked-proc", "a container engine's /proc: parts covered, parts read-only")
def masked_proc() -> None:
    own_processes()
    for name in ("acpi", "kcore", "keys", "timer_list", "scsi"):
        cover(f"/proc/{name}")
    for name in ("bus", "fs", "irq", "sys", "sysrq-trigger"):
        if os.path.exists(f"/proc/{name}"):
            make_read_only(f"/proc/{name}")


@shape("masked-proc-of-a-pod", "the same, in a pod of Kubernetes")
def masked_proc_of_a_pod() -> None:
    os.environ["KUBERNETES_SERVICE_HOST"] = "10.0.0.1"
    masked_proc()


@shape("read-only-proc-sys", "systemd's ProtectKernelTunables=yes")
def read_only_proc_sys() -> None:
    own_processes()
    make_read_only("/proc/sys")


@shape("read-only-proc", "all of /proc is read-only")
def read_only_proc() -> None:
    own_processes()
    make_read_only("/proc")


@shape("no-proc", "no /proc at all")
def no_proc() -> None:
    own_mounts()
    cover("/proc")


@shape("no-sys", "no /sys at all")
def no_sys() -> None:
    own_mounts()
    cover("/sys")


@shape("no-sys-no-run", "neither /sys nor /run")
def no_sys_no_run() -> None:
    own_mounts()
    cover("/sys")
    cover("/run")


@shape("read-only-tmp", "nothing can be written to /tmp, /var/tmp, /run or /dev/shm")
def read_only_tmp() -> None:
    own_mounts()
    for path in ("/tmp", "/var/tmp", "/run", "/dev/shm"):
        if os.path.isdir(path):
            make_read_only(path)


@shape("locked-tmp", "/tmp is nosuid, nodev and noexec, and nobody may change that")
def locked_tmp() -> None:
    own_mounts()
    kernel.mount("tmpfs", "/tmp", "tmpfs",
                 kernel.MS_NOSUID | kernel.MS_NODEV | kernel.MS_NOEXEC)
    os.environ.update(TMPDIR="/tmp", HOME="/tmp", XDG_RUNTIME_DIR="/tmp")
    own_user_namespace()
    kernel.unshare(kernel.CLONE_NEWNS)


@shape("no-dev-null", "an empty /dev")
def no_dev_null() -> None:
    own_mounts()
    cover("/dev")


@shape("only-cgroup-v2", "cgroup v2 alone, as container engines want it")
def only_cgroup_v2() -> None:
    is_ordinary = os.geteuid() != 0
    if is_ordinary:
        map_ids(f"0 {os.geteuid()} 1\n")
    own_mounts()
    if is_ordinary:
        kernel.mount("tmpfs", "/run", "tmpfs")  # where an engine that is root keeps its state
    kernel.unshare(kernel.CLONE_NEWCGROUP)
    kernel.mount("cgroup2", "/sys/fs/cgroup", "cgroup2")


@shape("memory-files-not-executable", "sysctl vm.memfd_noexec=2")
def memory_files_not_executable() -> None:
    needs_root()
    own_processes()
    try:
        kernel.write("/proc/sys/vm/memfd_noexec", "2\n")
    except OSError as error:
        raise CannotBeMade(f"vm.memfd_noexec cannot be set: {error}") from error


def limit_namespaces(kind: str, count: int) -> None:
    own_user_namespace()
    kernel.write(f"/proc/sys/user/max_{kind}_namespaces", f"{count}\n")


def few_namespaces(kind: str, count: int) -> None:
    @shape(f"{count}-{kind}-namespaces", f"sysctl user.max_{kind}_namespaces={count}")
    def _() -> None:
        limit_namespaces(kind, count)


for kind_of_namespace in ("user", "mnt", "net", "pid", "uts", "ipc", "cgroup", "time"):
    few_namespaces(kind_of_namespace, 0)
few_namespaces("user", 1)


@shape("nested-to-the-end", "no user namespace can be made below this one")
def nested_to_the_end() -> None:
    nest(0)


@shape("nested-but-one", "one more user namespace can be made, where two are needed")
def nested_but_one() -> None:
    nest(1)


# Who runs it.

@shape("only-root-mapped", "unshare -Ur: uid 0 and no other, which is somebody outside")
def only_root_mapped() -> None:
    map_ids(f"0 {os.geteuid()} 1\n")


@shape("ten-ids-mapped", "root of a user namespace with ten ids")
def ten_ids_mapped() -> None:
    needs_root()
    become_root_of("0 100000 10\n")


@shape("container-ids-mapped", "root of a user namespace with 65536 ids")
def container_ids_mapped() -> None:
    needs_root()
    become_root_of("0 100000 65536\n")


@shape("mounts-of-another", "root of a user namespace, where the mounts belong to its parent")
def mounts_of_another() -> None:
    needs_root()
    map_ids("0 0 65536\n")


def root_without(name: str, what: str, capabilities: list[int]) -> None:
    @shape(name, what)
    def _() -> None:
        needs_root()
        kernel.drop_bounding_set(capabilities)


root_without("root-without-sys-admin", "root of a container", [kernel.CAP_SYS_ADMIN])
root_without("root-without-setuid", "root that cannot become another user",
             [kernel.CAP_SETUID, kernel.CAP_SETGID])
root_without("root-without-any", "root of a container with --cap-drop=all", list(range(64)))


# Limits and habits of the process that calls.

def limited(name: str, what: str, kind: int, value: int) -> None:
    @shape(name, what)
    def _() -> None:
        resource.setrlimit(kind, (value, value))


limited("few-files", "ulimit -n 64", resource.RLIMIT_NOFILE, 64)
limited("very-few-files", "ulimit -n 12", resource.RLIMIT_NOFILE, 12)
limited("few-processes", "ulimit -u 1", resource.RLIMIT_NPROC, 1)
limited("little-stack", "ulimit -s 256 KiB", resource.RLIMIT_STACK, 256 << 10)
limited("no-core", "ulimit -c 0", resource.RLIMIT_CORE, 0)
limited("no-locked-memory", "ulimit -l 0", resource.RLIMIT_MEMLOCK, 0)
limited("small-files", "ulimit -f: 4 KiB", resource.RLIMIT_FSIZE, 4096)
limited("few-pending-signals", "ulimit -i 8", resource.RLIMIT_SIGPENDING, 8)


@shape("no-terminal", "a session of its own without a terminal")
def no_terminal() -> None:
    into_a_child()
    os.setsid()


@shape("children-ignored", "SIGCHLD is ignored")
def children_ignored() -> None:
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)


@shape("signals-blocked", "every signal is blocked")
def signals_blocked() -> None:
    signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())


@shape("umask-077", "a umask of 077")
def umask_077() -> None:
    os.umask(0o077)


@shape("umask-777", "a umask of 777")
def umask_777() -> None:
    os.umask(0o777)


@shape("no-path", "an empty PATH and no HOME")
def no_path() -> None:
    os.environ["PATH"] = ""
    os.environ.pop("HOME", None)


@shape("bare-environment", "not one variable")
def bare_environment() -> None:
    os.environ.clear()


@shape("odd-locale", "a locale that is not there")
def odd_locale() -> None:
    os.environ.update(LC_ALL="xx_YY.KOI8-X", LANG="\udcff", LANGUAGE="xx")


@shape("deleted-directory", "the working directory is no more")
def deleted_directory() -> None:
    gone = tempfile.mkdtemp()
    os.chdir(gone)
    os.rmdir(gone)
