# The tables of the other tests: they name each shape, and no answer in them is that of a host as it
# is, so that a shape which were not put on would be seen.
# SPDX-License-Identifier: MIT
import unittest

import shapes
import test_callers
import test_kernels
import test_places
from hosts import HostTest, has_doctor

TABLES = (test_kernels.WEAKER, test_kernels.REFUSED, test_places.SAME, test_places.REFUSED,
          test_callers.SAME, test_callers.WEAKER, test_callers.REFUSED)
USED_BY_NAME = {"as-it-is", "no-pidfd-signal", "only-cgroup-v2"}


class Tables(HostTest):
    def test_every_shape_is_in_one(self):
        named = [name for table in TABLES for name in table]
        self.assertEqual(len(named), len(set(named)))
        self.assertEqual(set(shapes.ALL), set(named) | USED_BY_NAME)

    def test_no_answer_is_that_of_a_host_as_it_is(self):
        for table in TABLES:
            for name, answer in table.items():
                with self.subTest(name=name):
                    if answer.codes:
                        with self.assertRaises(AssertionError):
                            self.assert_refused("as-it-is", answer)
                    elif answer.weaker:
                        with self.assertRaises(AssertionError):
                            self.assert_works("as-it-is", answer)
                    else:
                        self.assertTrue(answer.shown_by)

    def test_nor_is_a_diagnosis(self):
        if not has_doctor():
            self.skipTest("this sandboxctl has no doctor")
        code, found = self.diagnose("as-it-is")
        self.assertEqual((code, found["works"]), (0, True))
        states = {check["name"]: check["state"] for check in found["checks"]}
        self.assertNotIn("refused", states.values())
        for name in ("seccomp", "landlock", "user_namespace", "proc_subset"):
            self.assertEqual(states[name], "ok")


if __name__ == "__main__":
    unittest.main()
