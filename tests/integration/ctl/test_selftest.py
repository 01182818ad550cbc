# `selftest`, and single protections required or turned off.
# SPDX-License-Identifier: MIT
import json
import os
import signal
import subprocess
import unittest

from ctl import COMMAND, CtlTest

FIELDS = {"number", "name", "title", "group", "layers", "lacking", "without", "verdict", "met",
          "reason", "micros"}
# A quick one of the critical group, stopped by more than one layer.
NUMBER = "60"


class Selftest(CtlTest):
    def selftest_json(self, *options):
        call = self.call("selftest", "--json", *options)
        self.assertEqual(call.stdout.count(b"\n"), 1, call.stderr)
        return call, json.loads(call.stdout)

    def test_the_object_tells_each_attempt(self):
        call, report = self.selftest_json("--only", NUMBER)
        self.assertEqual(set(report), {"kernel", "all_good", "totals", "attempts"})
        self.assertEqual(report["kernel"], os.uname().release)
        self.assertGreater(len(report["attempts"]), 0)
        for attempt in report["attempts"]:
            self.assertEqual(set(attempt), FIELDS)
            self.assertEqual((attempt["number"], attempt["verdict"], attempt["reason"]),
                             (int(NUMBER), "contained", None))
            self.assertEqual(attempt["without"], [])
            self.assertEqual(set(attempt["met"][0]), {"label", "word"})
            self.assertGreater(attempt["micros"], 0)
        self.assertEqual(report["totals"], {"attempts": len(report["attempts"]), "escaped": 0,
                                            "contained": len(report["attempts"]), "broken": 0,
                                            "skipped": 0})
        self.assertEqual((call.returncode, report["all_good"], call.stderr), (0, True, b""))

    def test_a_person_gets_one_screen(self):
        call = self.call("selftest", "--only", NUMBER)
        self.assertEqual((call.returncode, call.stderr), (0, b""))
        lines = call.stdout.decode().splitlines()
        self.assertIn(os.uname().release, lines[0])
        self.assertTrue(lines[-1].startswith("all good: "), lines)
        self.assertEqual(self.call("selftest", "--only", NUMBER, "--quiet").stdout, b"")

    def test_what_works_without_a_protection_is_told(self):
        _, report = self.selftest_json("--only", "76")
        self.assertIn("no_exec", report["attempts"][0]["layers"])
        call = self.call("selftest", "--only", "76", "--without", "no_exec")
        self.assertEqual(call.returncode, 1)
        self.assertIn(b"escaped", call.stdout)
        self.assertIn(b"not all good: ", call.stdout)
        self.assert_one_line(call, "no_exec is off")

    def test_layers_tries_the_critical_ones_again(self):
        _, report = self.selftest_json("--only", NUMBER, "--layers")
        off = [tuple(attempt["without"]) for attempt in report["attempts"]]
        self.assertEqual(set(off), {(), ("seccomp",), ("landlock",), ("namespace_lock",),
                                    ("inner_user_namespace",)})

    def test_wrong_options_are_125(self):
        for options, part in (
            (["--only", "999"], "999"),
            (["--only", "1000"], "up to 999"),
            (["--only", "x"], "--only 'x'"),
            (["--without", "magic"], "namespace_lock"),
        ):
            with self.subTest(options=options):
                call = self.call("selftest", *options)
                self.assertEqual((call.returncode, call.stdout), (125, b""))
                self.assert_one_line(call, part)

    def test_a_signal_ends_it(self):
        process = subprocess.Popen([COMMAND, "selftest"], stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE)
        with self.assertRaises(subprocess.TimeoutExpired):
            process.wait(timeout=1)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=30)
        self.assertEqual((process.returncode, out), (130, b""))
        self.assertIn(b"SIGINT", err)


class Protections(CtlTest):
    def test_a_protection_that_is_off_is_warned_of(self):
        call = self.run_program("print('ran')", "--without", "no_exec")
        self.assertEqual((call.returncode, call.stdout), (0, b"ran\n"))
        self.assertIn(b"sandboxctl: warning: no_exec is off", call.stderr)

    def test_the_receipt_says_that_it_is_off(self):
        call, receipt = self.run_json("pass", "--without", "no_exec", "--quiet")
        self.assertEqual((call.returncode, call.stderr), (0, b""))
        self.assertTrue(receipt["enforced"]["protections"]["no_exec"].startswith("off"))

    def test_a_required_one_is_on(self):
        call, receipt = self.run_json("pass", "--require", "seccomp")
        self.assertEqual(call.returncode, 0)
        self.assertEqual(receipt["enforced"]["protections"]["seccomp"], "on")

    def test_both_at_once_are_refused(self):
        call = self.run_program("pass", "--require", "no_exec", "--without", "no_exec")
        self.assertEqual(call.returncode, 125)
        self.assert_one_line(call, "one of them")


if __name__ == "__main__":
    unittest.main()
