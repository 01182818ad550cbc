# Adds to a container engine's own seccomp profile what a sandbox inside of the container needs.
#   seccomp_profile.py < ENGINES-PROFILE.json > libsandbox-seccomp.json
# Docker's is https://github.com/moby/profiles/blob/main/seccomp/default.json, podman's is
# /usr/share/containers/seccomp.json. docs/hosts.md says how to use it and what it gives up.
# SPDX-License-Identifier: MIT
import json
import sys

# Namespaces, the mounts in them, and the name that the guest sees.
NEEDED = (
    "clone3", "unshare", "setns",
    "mount", "umount2", "pivot_root",
    "fsopen", "fsconfig", "fsmount", "open_tree", "move_mount", "mount_setattr",
    "sethostname", "setdomainname",
)


def with_sandbox(profile: dict) -> dict:
    """The profile with the calls allowed, whatever it said of them before."""
    rules = []
    for rule in profile["syscalls"]:
        names = [name for name in rule["names"] if name not in NEEDED]
        if names:
            rules.append({**rule, "names": names})
    rules.append({"names": list(NEEDED), "action": "SCMP_ACT_ALLOW"})
    return {**profile, "syscalls": rules}


if __name__ == "__main__":
    json.dump(with_sandbox(json.load(sys.stdin)), sys.stdout, indent=1)
    print()
