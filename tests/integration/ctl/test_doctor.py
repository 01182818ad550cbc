# The doctor on this machine as it is; what it says on others is tested in ../hosts.
# SPDX-License-Identifier: MIT
import ctypes
import json
import os
import unittest

from ctl import CtlTest, wait_until

# A check's name, and that of the protection in a receipt where the two differ.
PROTECTIONS = {
    "time_namespace": "time_namespace", "proc_subset": "process_view",
    "second_user_namespace": "inner_user_namespace", "namespace_lock": "namespace_lock",
    "session_keyring": "session_keyring", "core_scheduling": "core_scheduling",
    "write_xor_execute": "write_xor_execute", "landlock": "landlock", "seccomp": "seccomp",
    "denied_calls": "denied_calls", "cgroup": "cgroup",
}


def set_child_subreaper(value):
    ctypes.CDLL(None).prctl(36, value, 0, 0, 0)


def has_no_children():
    try:
        while os.waitpid(-1, os.WNOHANG)[0] != 0:
            pass
    except ChildProcessError:
        return True
    return False


class DoctorTest(CtlTest):
    def diagnose(self, *options):
        call = self.call("doctor", "--json", *options)
        return call.returncode, json.loads(call.stdout)

    def states(self, told):
        return {check["name"]: check["state"] for check in told["checks"]}

    def test_it_agrees_with_a_run_on_what_is_in_force(self):
        code, told = self.diagnose()
        self.assertEqual(code, 0, told)
        self.assertTrue(told["works"])
        self.assertIsNone(told["error"])
        _, receipt = self.run_json("print(1)")
        self.assertEqual(told["enforced"], receipt["enforced"])

    def test_what_works_when_tried_alone_is_what_is_in_force(self):
        _, told = self.diagnose()
        states = self.states(told)
        for check, protection in PROTECTIONS.items():
            with self.subTest(check=check):
                state = told["enforced"]["protections"][protection]
                self.assertEqual(states[check] == "ok", state == "on", (states[check], state))

    def test_nothing_is_refused_where_programs_run(self):
        _, told = self.diagnose()
        self.assertNotIn("refused", self.states(told).values(), told["checks"])

    def test_what_is_amiss_comes_with_a_fix_and_nothing_else_does(self):
        _, told = self.diagnose()
        for check in told["checks"]:
            with self.subTest(check=check["name"]):
                self.assertTrue(check["found"])
                self.assertEqual(bool(check["fix"]), check["state"] in ("weaker", "refused"))

    def test_a_requirement_that_cannot_be_met_refuses(self):
        _, told = self.diagnose()
        weaker = [name for name, state in self.states(told).items() if state == "weaker"]
        if not weaker:
            self.skipTest("this machine has every protection, so none can be missed")
        for name in weaker:
            with self.subTest(check=name):
                code, told = self.diagnose("--require", PROTECTIONS[name])
                self.assertEqual(code, 1, told)
                self.assertFalse(told["works"])
                self.assertIsNone(told["enforced"])
                self.assertEqual(told["error"]["code"], "protection_unavailable")
                self.assertEqual(self.states(told)[name], "refused")
                self.assertEqual(self.states(told)["program"], "refused")

    def test_an_image_that_is_none_is_told_and_the_rest_is_tried_all_the_same(self):
        code, told = self.diagnose("--image", f"dir:{self.folder}")
        self.assertEqual(code, 1, told)
        self.assertEqual(told["error"]["code"], "image_unusable")
        self.assertEqual(self.states(told)["user_namespace"], "ok")

    def test_the_text_ends_in_a_verdict_and_quiet_leaves_out_what_is_well(self):
        call = self.call("doctor")
        self.assertEqual(call.returncode, 0, call.stderr)
        self.assertTrue(call.stdout.decode().splitlines()[-1].startswith("programs run here"))
        self.assertIn(b"  ok ", call.stdout)
        self.assertNotIn(b"  ok ", self.call("doctor", "--quiet").stdout)

    def test_nothing_is_left_running(self):
        set_child_subreaper(1)  # whom it leaves behind becomes ours
        self.addCleanup(set_child_subreaper, 0)
        self.diagnose()
        self.assertTrue(wait_until(has_no_children, seconds=5), "a process goes on")

    def test_a_wrong_command_line_is_told_as_any(self):
        call = self.call("doctor", "--require", "nothing")
        self.assertEqual(call.returncode, 125)
        self.assert_one_line(call, "nothing")


if __name__ == "__main__":
    unittest.main()
