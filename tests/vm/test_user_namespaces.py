# Settings of the machine that keep user namespaces, or others, from being made.
# SPDX-License-Identifier: MIT
from host import IDENTITIES, REFUSED, ROOT, USER, WEAKER, HostTest, sysctl

DEBIANS_SWITCH = "kernel.unprivileged_userns_clone"
LIMIT = "user.max_user_namespaces"
NEEDED = ("mnt", "net", "pid", "ipc", "uts", "cgroup")


class UserNamespaces(HostTest):
    # For root too: its launcher makes the sandbox as a user without any right.
    def test_debians_switch_is_named(self) -> None:
        for uid, identity in IDENTITIES:
            with self.subTest(identity), sysctl(DEBIANS_SWITCH, 0):
                self.assert_refused(uid, "userns_unavailable", " user_namespace]", DEBIANS_SWITCH)

    def test_the_doctor_names_debians_switch(self) -> None:
        for uid, identity in IDENTITIES:
            with self.subTest(identity), sysctl(DEBIANS_SWITCH, 0):
                self.assert_check(self.doctor(uid, REFUSED), "user_namespace", "refused",
                                  DEBIANS_SWITCH)

    def test_a_limit_of_zero_or_one_is_named(self) -> None:
        for limit, step in ((0, " user_namespace]"), (1, " inner_user_namespace]")):
            for uid, identity in IDENTITIES:
                with self.subTest(identity, limit=limit), sysctl(LIMIT, limit):
                    self.assert_refused(uid, "userns_unavailable", step, LIMIT)

    def test_the_doctor_names_a_limit_of_zero(self) -> None:
        for uid, identity in IDENTITIES:
            with self.subTest(identity), sysctl(LIMIT, 0):
                self.assert_check(self.doctor(uid, REFUSED), "user_namespace", "refused", LIMIT)


class OtherNamespaces(HostTest):
    def test_a_limit_of_zero_is_named(self) -> None:
        # As root the first to fail is the copy of a mount, which is in a namespace as well.
        for name, uid in (*((name, USER) for name in NEEDED), ("mnt", ROOT)):
            limit = f"user.max_{name}_namespaces"
            with self.subTest(limit=limit, uid=uid), sysctl(limit, 0):
                message = self.assert_refused(uid, "setup_failed", "user.max_")
                listed = message.partition("user.max_{")[2].partition("}")[0]
                self.assertTrue(name in listed.split(",") or limit in message, message)

    def test_without_time_namespaces_a_run_works_and_tells(self) -> None:
        with sysctl("user.max_time_namespaces", 0):
            protections = self.assert_runs(USER)["enforced"]["protections"]
            self.assertEqual(protections["time_namespace"], "unavailable")

    def test_the_doctor_says_the_same(self) -> None:
        for name, exit_code, state in (("net", REFUSED, "refused"), ("time", WEAKER, "weaker")):
            with self.subTest(name), sysctl(f"user.max_{name}_namespaces", 0):
                self.assert_check(self.doctor(USER, exit_code), f"{name}_namespace", state,
                                  "user.max_")
