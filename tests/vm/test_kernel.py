# Debian 12's kernel: what it has not is left out and told, and refused where it was asked for.
# SPDX-License-Identifier: MIT
from host import IDENTITIES, ROOT, WEAKER, HostTest

FULL = {
    "capabilities": "on", "denied_calls": "on", "inner_user_namespace": "on", "inode_limits": "on",
    "landlock": "on", "namespace_lock": "on", "no_exec": "on", "no_new_privs": "on",
    "process_view": "on", "resource_limits": "on", "root": "read-only", "seccomp": "on",
    "session_keyring": "on", "time_namespace": "on", "network": "none",
    "namespaces": "user,pid,mount,net,ipc,uts,cgroup",
    "write_xor_execute": "unavailable",  # Linux 6.3
    "core_scheduling": "unavailable",  # these CPUs have no hyper-threads
}


class OldKernel(HostTest):
    def test_a_run_works_and_tells_what_is_missing(self) -> None:
        for uid, identity in IDENTITIES:
            with self.subTest(identity):
                enforced = self.assert_runs(uid)["enforced"]
                self.assertTrue(enforced["kernel"].startswith("6.1."), enforced["kernel"])
                self.assertEqual((enforced["landlock_abi"], enforced["wx"], enforced["proc"]),
                                 (2, False, "subset"))
                protections = enforced["protections"]
                for name in ("cgroup", "processes"):  # test_cgroup.py
                    del protections[name]
                self.assertEqual(protections, FULL)

    def test_what_is_required_and_missing_is_refused_by_name(self) -> None:
        for uid, identity in IDENTITIES:
            with self.subTest(identity):
                self.assert_refused(uid, "protection_unavailable", "write_xor_execute]", "6.3",
                                    options=("--require", "write_xor_execute"))

    def test_the_doctor_says_the_same(self) -> None:
        for uid, identity in IDENTITIES:
            with self.subTest(identity):
                checks = self.doctor(uid, WEAKER)
                self.assert_check(checks, "write_xor_execute", "weaker", "6.3")
                for name in ("user_namespace", "mount_namespace", "net_namespace"):
                    self.assert_check(checks, name, "ok")
                if uid == ROOT:
                    self.assert_check(checks, "cgroup", "ok")
