# Kernels that are older, or built without something; container engines and security modules that
# forbid something. The system calls are refused by a filter.
# SPDX-License-Identifier: MIT
import unittest

from hosts import COMMAND, Answer, HostTest, for_each, refused

OLD = ("setup_failed", "protection_unavailable", "image_unusable", "unsupported")
# What is to be changed depends on who starts the command here: an engine or a service manager.
WHERE = ("--security-opt", "SystemCallFilter=", "seccompProfile")
OLD_KERNEL = ("5.12", "5.14")

WEAKER = {
    "no-landlock": Answer(weaker={"landlock_abi": None, "protections.landlock": "unavailable"}),
    "landlock-switched-off":
        Answer(weaker={"landlock_abi": None, "protections.landlock": "unavailable"}),
    "no-mdwe": Answer(weaker={"wx": False, "protections.write_xor_execute": "unavailable"}),
    "no-listener": Answer(weaker={"protections.denied_calls": "unavailable"}),
    "another-listener": Answer(weaker={"protections.denied_calls": "unavailable"}),
    "no-keyctl": Answer(weaker={"protections.session_keyring": "unavailable"}),
    "no-time-namespace": Answer(weaker={"protections.time_namespace": "unavailable"}),
    "already-filtered": Answer(shown_by="grep -q 'Seccomp_filters:.*[1-9]' /proc/self/status"),
}

REFUSED = {
    "no-clone3": refused(OLD, "clone3", "seccomp", WHERE),
    "clone3-forbidden": refused(OLD, "clone3", "seccomp"),
    "no-openat2": refused(OLD, "openat2", "5.6"),
    "no-close-range": refused(OLD, "close_range", "5.9"),
    "no-pidfd-open": refused(OLD, "pidfd_open", "5.3"),
    "no-open-tree": refused(OLD, OLD_KERNEL),
    "no-fsopen": refused(OLD, OLD_KERNEL),
    "no-mount-setattr": refused(OLD, OLD_KERNEL),
    "no-seccomp": refused(OLD, "seccomp", ("CONFIG_SECCOMP", "kernel")),
    "no-memfd": refused(OLD, "memfd_create"),
    "no-user-namespace": refused("userns_unavailable", "kernel", "without user namespaces"),
    "docker": refused(OLD, "clone3", "seccomp", WHERE),
    "docker-clone3-known": refused((*OLD, "userns_unavailable"), "seccomp", WHERE),
    "podman": refused(OLD, "host name", "seccomp", WHERE),
    "no-unshare": refused((*OLD, "userns_unavailable"), "seccomp"),
    "mount-forbidden": refused(OLD, "seccomp", WHERE),
    "setns-forbidden": refused(OLD, "seccomp", WHERE),
    "mount-denied": refused((*OLD, "userns_unavailable"), "security module", "apparmor"),
    "ubuntu": refused("userns_unavailable", ("security module", "apparmor", "seccomp")),
}


@for_each(WEAKER)
class Weaker(HostTest):
    pass


@for_each(REFUSED)
class Refused(HostTest):
    pass


class WhatIsRequired(HostTest):
    """A host that lacks what was asked for by name refuses; it does not run without."""

    def test_required_protections(self):
        for shape, protection in (("no-landlock", "landlock"), ("no-mdwe", "write_xor_execute"),
                                  ("no-listener", "denied_calls"), ("no-keyctl", "session_keyring"),
                                  ("no-time-namespace", "time_namespace")):
            with self.subTest(shape=shape):
                here = self.on("as-it-is", *self.required(protection), input=b"")
                self.assertEqual(here.returncode, 0, here.stderr)
                there = self.on(shape, *self.required(protection), input=b"")
                self.assertEqual(there.returncode, 125)
                self.assertIn(f"make {protection} preferred", there.stderr.decode())

    @staticmethod
    def required(protection):
        return [COMMAND, "run", "--require", protection, "-"]

    def test_a_limit_of_time_holds_without_pidfd_send_signal(self):
        done = self.on("no-pidfd-signal", COMMAND, "exec", "--timeout", "500ms", "--", "sleep", "9")
        self.assertEqual(done.returncode, 124, done.stderr)


if __name__ == "__main__":
    unittest.main()
