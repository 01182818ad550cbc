# What makes run_cpython.py fail: on runs and lists that are made up here.
# SPDX-License-Identifier: MIT
import json
import pathlib
import tempfile
import unittest

import suite_worker
from differences import List, differences_of, judge, read_run

GOOD = """
[reasons]
network = "No network."

[[difference]]
reason = "network"
why = "It opens a socket."
tests = ["test_x.Net", "test_x.Other.test_one"]
"""


def lines_of(outcomes, end="complete", extra=()):
    lines = [{"test": f"test.test_x.{name}", "outcome": word, "why": "because"}
             for name, word in outcomes.items()]
    return "\n".join(json.dumps(line) for line in [*lines, *extra, {"end": end}])


def run(outcomes, **more):
    return read_run("test_x", lines_of(outcomes, **more))


def list_of(text):
    with tempfile.NamedTemporaryFile("w", suffix=".toml") as file:
        file.write(text)
        file.flush()
        return List(pathlib.Path(file.name))


class ListTest(unittest.TestCase):
    def test_a_good_list(self):
        known = list_of(GOOD)
        self.assertEqual([entry.prefix for entry in known.entries],
                         ["test_x.Net", "test_x.Other.test_one"])
        self.assertEqual(known.entry_of("test_x.Net.test_a").reason, "network")
        self.assertEqual(known.entry_of("test_x.Other.test_one").prefix, "test_x.Other.test_one")
        for name in ("test_x.Network.test_a", "test_x", "test_x.Other", "test_x.Other.test_one2"):
            self.assertIsNone(known.entry_of(name))

    def test_broken_lists(self):
        for what, old, new in (
            ("unknown reason", 'reason = "network"', 'reason = "bad luck"'),
            ("not a sentence", "socket.", "socket"),
            ("already covered", "test_x.Other.test_one", "test_x.Net.test_a"),
            ("already covered", "test_x.Other.test_one", "test_x.Net"),
            ("already covered", "test_x.Net", "test_x"),
            ("reasons that no entry has", "[reasons]\n", '[reasons]\nidle = "x"\n'),
            ("an entry has", 'why = "It opens a socket."\n', ""),
            ("an entry has", '["test_x.Net", "test_x.Other.test_one"]', "[]"),
        ):
            with self.subTest(what=what, new=new), self.assertRaisesRegex(ValueError, what):
                list_of(GOOD.replace(old, new))

    def test_the_list_of_the_project(self):
        known = List(pathlib.Path(__file__).with_name("cpython-3.11.toml"))
        self.assertGreater(len(known.entries), 50)


class Judging(unittest.TestCase):
    outside = {"Net.test_a": "passed", "Net.test_b": "passed", "Other.test_one": "passed",
               "Other.test_two": "passed", "Other.test_bad": "failed"}
    inside = {"Net.test_a": "error", "Net.test_b": "passed", "Other.test_one": "failed",
              "Other.test_two": "passed", "Other.test_bad": "passed"}

    def verdict(self, outside=(), inside=(), whole=True):
        known = list_of(GOOD)
        pair = (run({**self.outside, **dict(outside)}), run({**self.inside, **dict(inside)}))
        return judge(known, [pair], whole), known

    def test_all_listed(self):
        verdict, known = self.verdict()
        self.assertTrue(verdict.is_good)
        self.assertEqual(verdict.by_reason, {"network": 2})
        self.assertEqual([(e.tests, e.differ) for e in known.entries], [(2, 1), (1, 1)])

    def test_an_unlisted_difference(self):
        for word in ("failed", "error", "skipped", "hung", "died"):
            with self.subTest(word=word):
                verdict, _ = self.verdict(inside={"Other.test_two": word})
                self.assertFalse(verdict.is_good)
                self.assertEqual([(d.test, d.word) for d in verdict.unlisted],
                                 [("test_x.Other.test_two", word)])

    def test_a_missing_test_is_a_difference_and_says_why(self):
        outside = run({"A.test": "passed"})
        for extra, why in (
            ([], "it was not among the tests"),
            ([{"fixture": "setUpClass (test.test_x.A)", "outcome": "error", "why": "no"}],
             "error: no"),
            ([{"fixture": "test_x", "outcome": "skipped", "why": "no"}], "skipped: no"),
        ):
            with self.subTest(why=why):
                found = differences_of(outside, run({}, extra=extra))
                self.assertEqual([(d.word, d.why) for d in found.values()], [("missing", why)])
        found = differences_of(outside, run({}, end="hung"))
        self.assertEqual([d.why for d in found.values()], ["hung"])

    def test_a_listed_test_that_passes_is_stale(self):
        verdict, _ = self.verdict(inside={"Other.test_one": "passed"})
        self.assertEqual((verdict.is_good, verdict.stale), (False, ["test_x.Other.test_one"]))
        verdict, _ = self.verdict(inside={"Net.test_a": "passed"})
        self.assertEqual((verdict.is_good, verdict.stale), (False, ["test_x.Net"]))

    def test_a_listed_test_that_does_not_exist_is_stale(self):
        known = list_of(GOOD.replace("test_one", "test_gone"))
        pair = (run({"Net.test_a": "passed"}), run({"Net.test_a": "failed"}))
        self.assertEqual(judge(known, [pair], True).stale, ["test_x.Other.test_gone"])

    def test_what_fails_outside_too_says_nothing(self):
        verdict, _ = self.verdict(outside={"Other.test_one": "failed"})
        self.assertEqual((verdict.is_good, verdict.undecided), (True, ["test_x.Other.test_one"]))

    def test_a_reason_that_does_not_hold_here(self):
        known = list_of(GOOD)
        passing = run({"Net.test_a": "passed", "Other.test_one": "passed"})
        verdict = judge(known, [(passing, passing)], True, frozenset(["network"]))
        self.assertEqual((verdict.stale, verdict.undecided),
                         ([], ["test_x.Net", "test_x.Other.test_one"]))
        self.assertEqual(len(judge(known, [(passing, passing)], True).stale), 2)

    def test_entries_of_modules_that_did_not_run(self):
        known = list_of(GOOD.replace("test_x.Net", "test_y.Net"))
        pair = (run({"Other.test_one": "passed"}), run({"Other.test_one": "failed"}))
        self.assertEqual(judge(known, [pair], False).stale, [])
        self.assertEqual(judge(known, [pair], True).stale, ["test_y.Net"])


class Reading(unittest.TestCase):
    def test_the_worst_outcome_counts(self):
        for words in (["passed", "error"], ["error", "passed"]):
            lines = "\n".join(lines_of({"A.test": word}) for word in words)
            self.assertEqual(read_run("test_x", lines).tests["test_x.A.test"].word, "error")

    def test_names_of_tests_that_live_elsewhere(self):
        line = json.dumps({"test": "ctypes.test.test_a.B.test_c", "outcome": "passed"})
        self.assertEqual(list(read_run("test_ctypes", line).tests),
                         ["test_ctypes.ctypes.test.test_a.B.test_c"])

    def test_a_run_without_an_end_is_incomplete(self):
        self.assertNotEqual(read_run("test_x", "").trouble, "")
        self.assertEqual(run({}).trouble, "")
        self.assertEqual(run({}, end="out of time").trouble, "out of time")

    def test_how_the_run_went(self):
        place = {"place": {"trouble": "killed", "denied": [{"call": "socket"}]}}
        text = "\n".join([lines_of({"A.test": "passed"}), json.dumps(place)])
        self.assertEqual(read_run("test_x", text).trouble, "killed")
        self.assertEqual(read_run("test_x", text).denied, [{"call": "socket"}])


class Worker(unittest.TestCase):
    """The program that runs one module tells each outcome."""

    class Sample(unittest.TestCase):
        def test_good(self):
            pass

        def test_bad(self):
            self.fail("no")

        def test_broken(self):
            raise OSError(1, "x")

        def test_away(self):
            self.skipTest("not here")

        def test_parts(self):
            for number in range(3):
                with self.subTest(number=number):
                    self.assertNotEqual(number, 1)

        def test_mixed(self):
            with self.subTest("away"):
                self.skipTest("not here")
            with self.subTest("bad"):
                self.fail("no")

        @unittest.expectedFailure
        def test_known(self):
            self.fail("as known")

        @unittest.expectedFailure
        def test_no_more(self):
            pass

    def test_outcomes(self):
        seen = {}

        class Log:
            def add(self, **line):
                if "test" in line:
                    seen[line["test"].rpartition(".")[2]] = line["outcome"]

        result = suite_worker.make_result_class(Log(), lambda: 0.0)()
        tests = unittest.defaultTestLoader.loadTestsFromTestCase(Worker.Sample)
        done = {test.id() for test in tests if test.id().endswith("test_good")}
        suite_worker.without_done(tests, done).run(result)
        gone = suite_worker.without_done(tests, {suite_worker.class_of(next(iter(done)))})
        self.assertEqual((tests.countTestCases(), gone.countTestCases()), (8, 0))
        self.assertEqual(seen, {"test_bad": "failed", "test_broken": "error",
                                "test_away": "skipped", "test_parts": "failed",
                                "test_mixed": "failed", "test_known": "passed",
                                "test_no_more": "failed"})


# The sample's own failures are the point.
def load_tests(loader, _tests, _pattern):
    return unittest.TestSuite(loader.loadTestsFromTestCase(case)
                              for case in (ListTest, Judging, Reading, Worker))


if __name__ == "__main__":
    unittest.main()
