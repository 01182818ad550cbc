# Containers of podman without an image: their root is a few links, and this machine's /usr.
# SPDX-License-Identifier: MIT
import os
import pathlib
import resource
import shutil
import subprocess

from hosts import AS_HOST, COMMAND, TIMEOUT

PODMAN = "/usr/bin/podman"
CONFIGURATION = """\
[engine]
runtime = "crun"
cgroup_manager = "cgroupfs"
events_logger = "none"
lock_type = "file"
[containers]
log_driver = "none"
"""


class Podman:
    """An engine of its own below `place`: it shares no containers, locks or configuration."""

    def __init__(self, place: pathlib.Path):
        self.place = place
        place.chmod(0o755)  # a container's root may be a user who is not this one
        self.root = place / "root"
        for name in ("etc", "proc", "sys", "dev", "tmp", "run", "var", "usr", "opt"):
            (self.root / name).mkdir(parents=True)
        for name in ("bin", "sbin", "lib", "lib32", "lib64"):
            if os.path.islink(f"/{name}"):
                (self.root / name).symlink_to(f"usr/{name}")
        users = "root:x:0:0::/:/bin/sh\nuser:x:1000:1000::/:/bin/sh\n"
        (self.root / "etc/passwd").write_text(users, encoding="utf-8")
        self.configuration = place / "containers.conf"
        self.configuration.write_text(CONFIGURATION, encoding="utf-8")

    def why_not(self) -> str | None:
        """What keeps containers from running here; None: nothing does."""
        for program in (PODMAN, "/usr/bin/crun"):
            if not os.access(program, os.X_OK):
                return f"{program} is not installed"
        if not os.path.islink("/lib"):
            return "this machine's /lib is not in /usr, of which the containers are made"
        done = self.run("/usr/bin/true")
        return None if done.returncode == 0 else f"podman run: {done.stderr.decode().strip()}"

    def environment(self) -> dict[str, str]:
        own = {"PATH": "/usr/bin:/bin:/usr/sbin:/sbin", "HOME": str(self.place),
               "XDG_RUNTIME_DIR": str(self.place), "CONTAINERS_CONF": str(self.configuration)}
        if os.geteuid() != 0:
            # The user namespace that podman would make for its user is there already.
            own |= {"_CONTAINERS_USERNS_CONFIGURED": "done",
                    "_CONTAINERS_ROOTLESS_UID": str(os.geteuid()),
                    "_CONTAINERS_ROOTLESS_GID": str(os.getegid())}
        return own

    def run(self, *arguments: str, options: tuple[str, ...] = (),
            standard_input: bytes = b"") -> subprocess.CompletedProcess:
        """The command in a new container, which has /opt/sandboxctl."""
        limits = []
        for name, kind in (("nofile", resource.RLIMIT_NOFILE), ("nproc", resource.RLIMIT_NPROC)):
            hard = resource.getrlimit(kind)[1]
            value = 4096 if hard == resource.RLIM_INFINITY else min(4096, hard)
            limits += ["--ulimit", f"{name}={value}:{value}"]
        folders = ["--root", f"{self.place}/storage", "--runroot", f"{self.place}/run",
                   "--tmpdir", f"{self.place}/tmp"]
        command = [*AS_HOST, "only-cgroup-v2", "--", PODMAN, *folders, "run", "--rm", "-i",
                   "--network=none", "--cgroups=disabled", *limits, "-v", "/usr:/usr:ro",
                   "-v", f"{COMMAND}:/opt/sandboxctl:ro", *options, "--rootfs", str(self.root),
                   *arguments]
        return subprocess.run(command, capture_output=True, timeout=TIMEOUT, check=False, cwd="/",
                              env=self.environment(), input=standard_input)

    def remove(self) -> None:
        shutil.rmtree(self.place, ignore_errors=True)
