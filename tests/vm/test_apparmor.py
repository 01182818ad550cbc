# AppArmor: what a host that restricts user namespaces does to a run, and what our profile changes.
# Debian 12's AppArmor does not know of user namespaces. Here a profile without capabilities stands
# for it: on Ubuntu a process without a profile of its own gets just such a one with its namespace.
# SPDX-License-Identifier: MIT
import os
import pathlib
import subprocess
import tempfile
import unittest

from host import COMMAND, IDENTITIES, REFUSED, ROOT, USER, WEAKER, HostTest

SECURITY = pathlib.Path("/sys/kernel/security")
PACKAGED = pathlib.Path("/vm/apparmor/sandboxctl")
INSTALLED = pathlib.Path("/usr/local/bin/sandboxctl")
# The launcher is executed from memory, which is a path that is not in the tree.
RESTRICTED = """abi <abi/3.0>,
profile userns_restricted /usr/local/bin/sandboxctl flags=(attach_disconnected) {
  deny capability,
  network, signal, dbus, unix, ptrace, mount, remount, umount, pivot_root, file,
}
"""


def packaged_for_debian_12() -> str:
    """Our profile without the rule, and with the ABI, that AppArmor 3.0 knows."""
    text = PACKAGED.read_text()
    for now, before in (("abi <abi/4.0>,", "abi <abi/3.0>,"), ("\n  userns,\n", "\n")):
        if text.count(now) != 1:
            raise ValueError(f"{PACKAGED} has not {now!r} once")
        text = text.replace(now, before)
    return text


def label_of(pid: int) -> str:
    return pathlib.Path(f"/proc/{pid}/attr/current").read_text().strip()


def launchers_of(pid: int) -> list[int]:
    """The processes below it that run the launcher's code."""
    children = pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    below = [found for child in map(int, children) for found in (child, *launchers_of(child))]
    return [p for p in below if "memfd:" in os.readlink(f"/proc/{p}/exe")]


class AppArmorTest(HostTest):
    @classmethod
    def setUpClass(cls) -> None:
        if not (SECURITY / "lsm").exists():
            subprocess.run(["mount", "-t", "securityfs", "securityfs", SECURITY], check=True)
        if "apparmor" not in (SECURITY / "lsm").read_text().split(","):
            raise unittest.SkipTest("this kernel runs without AppArmor")
        os.link(COMMAND, INSTALLED)
        cls.addClassCleanup(INSTALLED.unlink)

    def parse(self, profile: str, *options: str) -> None:
        with tempfile.NamedTemporaryFile("w", suffix=".apparmor") as file:
            file.write(profile)
            file.flush()
            subprocess.run(["apparmor_parser", "--config-file", "/dev/null", "--skip-cache",
                            *options, file.name], check=True, timeout=60)

    def load(self, profile: str) -> None:
        self.parse(profile, "--replace")
        self.addCleanup(self.parse, profile, "--remove")


class Restricted(AppArmorTest):
    def setUp(self) -> None:
        super().setUp()
        self.load(RESTRICTED)

    def test_a_run_is_refused_by_name(self) -> None:
        self.assert_refused(USER, "userns_unavailable", " setgroups_deny]", "AppArmor",
                            "packaging/apparmor", command=str(INSTALLED))

    # Nothing but its capabilities makes it root.
    def test_root_without_capabilities_is_told_who_took_them(self) -> None:
        self.assert_refused(ROOT, "setup_failed", "AppArmor", "userns_restricted",
                            command=str(INSTALLED))

    def test_a_profile_that_knows_paths_only_is_named(self) -> None:
        self.parse(RESTRICTED.replace(" flags=(attach_disconnected)", ""), "--replace")
        for uid, identity in IDENTITIES:
            with self.subTest(identity):
                self.assert_refused(uid, "setup_failed", "launcher", "AppArmor",
                                    "userns_restricted", "attach_disconnected",
                                    command=str(INSTALLED))
        self.assert_check(self.doctor(USER, REFUSED, command=str(INSTALLED)), "launcher_start",
                          "refused", "userns_restricted", "attach_disconnected")

    def test_the_doctor_says_the_same(self) -> None:
        checks = self.doctor(USER, REFUSED, command=str(INSTALLED))
        self.assert_check(checks, "id_map", "refused", "AppArmor", "packaging/apparmor")

    def test_only_the_program_that_it_names_is_restricted(self) -> None:
        self.assert_runs(USER)

    def test_our_profile_in_its_place_lets_it_run(self) -> None:
        self.parse(RESTRICTED, "--remove")
        self.addCleanup(self.parse, RESTRICTED, "--replace")  # which the next one removes
        self.load(packaged_for_debian_12())
        for uid, identity in IDENTITIES:
            with self.subTest(identity):
                receipt = self.receipt(uid, "print(open('/proc/self/attr/current').read(), end='')",
                                       command=str(INSTALLED))
                self.assertEqual(receipt["stdout"], "sandboxctl (unconfined)\n", receipt)
        self.assert_check(self.doctor(USER, WEAKER, command=str(INSTALLED)), "id_map", "ok")


class Packaged(AppArmorTest):
    # Or else the profile were of no use: it is the launcher that makes the user namespace.
    def test_the_label_is_kept_where_the_launcher_is_executed_from_memory(self) -> None:
        self.load(packaged_for_debian_12())
        program = self.program("import time\nprint('started', flush=True)\ntime.sleep(60)")
        process = self.start(USER, "run", program, command=str(INSTALLED))
        self.addCleanup(process.communicate)
        self.addCleanup(process.terminate)
        self.assertEqual(process.stdout.readline(), "started\n")
        launchers = launchers_of(process.pid)
        self.assertGreaterEqual(len(launchers), 2, "the launcher, and init in the sandbox")
        for pid in (process.pid, *launchers):
            self.assertEqual(label_of(pid), "sandboxctl (unconfined)")
