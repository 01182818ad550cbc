# Limits of the whole run by a cgroup, and without one, as the command tells them.
# SPDX-License-Identifier: MIT
from collections.abc import Callable
from typing import Any

from host import DELEGATED, ROOT, SERVICE, USER, WEAKER, HostTest

# Six processes, each well below the limit that they break together.
MEMORY_OF_MANY = """
import os, time
for i in range(6):
    if os.fork() == 0:
        block = bytearray(b'x') * (24 << 20)
        time.sleep(30)
time.sleep(30)
"""
FORKS = """
import os, time
try:
    for i in range(200):
        if os.fork() == 0:
            time.sleep(30)
            os._exit(0)
except BlockingIOError:
    print(i)
"""
# (identity, its cgroup, what counts): root makes cgroups anywhere; a user where it was given one.
PLACES = (("root", ROOT, SERVICE, "cgroup"), ("user, delegated", USER, DELEGATED, "cgroup"),
          ("user", USER, SERVICE, "rlimit"))


class Cgroup(HostTest):
    def each_place(self, check: Callable[[dict[str, Any], str], None], source: str,
                   *options: str) -> None:
        for name, uid, cgroup, counts in PLACES:
            with self.subTest(name):
                receipt = self.receipt(uid, source, *options, cgroup=cgroup)
                self.assertEqual(receipt["enforced"]["memory"], counts)
                check(receipt, counts)

    def test_the_receipt_says_who_counts_and_nothing_is_left(self) -> None:
        def check(receipt: dict[str, Any], counts: str) -> None:
            self.assertEqual(receipt["stdout"], "42\n")
            protections = receipt["enforced"]["protections"]
            self.assertEqual(protections["cgroup"], "on" if counts == "cgroup" else "unavailable")
            self.assertEqual(protections["processes"], counts)
            for home in (SERVICE.parent, SERVICE, DELEGATED.parent, DELEGATED):
                self.assertEqual([path.name for path in home.glob("libsandbox*")], [], "is left")

        self.each_place(check, "print(6 * 7)")

    def test_memory_of_all_processes_together_ends_the_run(self) -> None:
        def check(receipt: dict[str, Any], _: str) -> None:
            self.assertEqual(receipt["outcome"], "memory_limit", receipt)

        self.each_place(check, MEMORY_OF_MANY, "--memory", "96M", "--timeout", "40s")

    def test_the_limit_of_processes_is_told(self) -> None:
        def check(receipt: dict[str, Any], _: str) -> None:
            self.assertEqual((receipt["outcome"], receipt["stdout"]), ("exited", "19\n"), receipt)
            self.assertIn("processes", [denied["call"] for denied in receipt["denied"]])

        self.each_place(check, FORKS, "--processes", "20", "--timeout", "40s")

    def test_cpu_time_ends_the_run(self) -> None:
        def check(receipt: dict[str, Any], _: str) -> None:
            self.assertEqual(receipt["outcome"], "cpu_limit", receipt)

        self.each_place(check, "while True: pass", "--cpu-time", "1s", "--timeout", "40s")

    def test_a_required_cgroup_that_is_none_is_refused(self) -> None:
        self.assert_runs(USER, "--require", "cgroup", cgroup=DELEGATED)
        self.assert_refused(USER, "protection_unavailable", "cgroup",
                            options=("--require", "cgroup"))

    def test_the_doctor_says_the_same(self) -> None:
        for name, uid, cgroup, counts in PLACES:
            with self.subTest(name):
                self.assert_check(self.doctor(uid, WEAKER, cgroup=cgroup), "cgroup",
                                  "ok" if counts == "cgroup" else "weaker")
