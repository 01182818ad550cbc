# Images in the store: used, listed, checked, removed; and what is said when there is none.
# SPDX-License-Identifier: MIT
import json
import os
import subprocess
import unittest

from ctl import COMMAND
from images import ImageTest


class Missing(ImageTest):
    def test_an_unknown_image_says_how_to_build_it(self):
        call = self.call("exec", "--image", "data", "--", "true")
        self.assertEqual(call.returncode, 125)
        self.assertIn(f"there is no image 'data' in {self.store}; build it with: "
                      "sandboxctl image build data", call.stderr)
        self.assertEqual(self.entries(), [])

    def test_nothing_is_there(self):
        self.assertIn("sandboxctl image build data", self.image("list").stdout)
        self.assertEqual(json.loads(self.image("list", "--json").stdout),
                         {"store": str(self.store), "images": []})
        for verb in ("inspect", "remove"):
            call = self.image(verb, "data")
            self.assertEqual(call.returncode, 125)
            self.assertIn("there is no image 'data'", call.stderr)
        self.assertFalse(self.store.exists())

    def test_wrong_lines_are_told(self):
        for line, told in ((["build", "dat"], "there are: data, python"),
                           (["build", "data", "--name", "a/b"], "a name is 1 to 64"),
                           (["build", "data", "--add", "-oX=y"], "name of a Debian package"),
                           (["build", "data", "--suite", "a b"], "name of a Debian release"),
                           (["build", "data", "--mirror", "nowhere"], "a mirror is a URL"),
                           (["inspect", "../data"], "a name is 1 to 64"),
                           (["inspect"], "see sandboxctl image inspect --help"),
                           ([], "see sandboxctl image --help")):
            with self.subTest(line=line):
                call = self.image(*line)
                self.assertEqual((call.returncode, call.stdout), (125, ""))
                self.assertIn(told, call.stderr)

    def test_each_verb_has_help(self):
        for verb, told in (("build", "--mirror"), ("list", "--json"), ("inspect", "--verify"),
                           ("remove", "NAME")):
            call = self.image(verb, "--help")
            self.assertEqual((call.returncode, call.stderr), (0, ""))
            self.assertIn(told, call.stdout)


class Stored(ImageTest):
    def setUp(self):
        super().setUp()
        self.directory = self.copy_image("python")

    def test_it_runs(self):
        call = self.call("run", "--image", "python", "-", input="import sys\nprint(sys.prefix)")
        self.assertEqual((call.returncode, call.stdout, call.stderr), (0, "/usr\n", ""))

    def test_nothing_of_the_host_is_in_it(self):
        call = self.call("exec", "--image", "python", "--", "ls", "/usr/bin")
        self.assertNotIn("gcc", call.stdout)
        self.assertNotIn("mmdebstrap", call.stdout)
        self.assertIn("python3.", call.stdout)

    def test_list_and_inspect_agree(self):
        listed = json.loads(self.image("list", "--json").stdout)["images"]
        self.assertEqual([one["name"] for one in listed], ["python"])
        self.assertIsNone(listed[0]["problem"])
        one = json.loads(self.image("inspect", "python", "--json").stdout)
        self.assertEqual(one["checked"], "quick")
        for field in ("digest", "entries", "bytes", "packages", "directory", "suite"):
            self.assertEqual(one[field], listed[0][field])
        self.assertEqual(one["directory"], str(self.directory))
        self.assertIn("python3", [package["name"] for package in one["packages"]])
        self.assertRegex(self.image("list").stdout, r"(?m)^python +bookworm +3\.11\.")
        text = self.image("inspect", "python", "--verify").stdout
        self.assertIn("the content of every file", text)
        self.assertIn(one["digest"], text)

    def test_a_changed_file_is_refused(self):
        victim = self.directory / "root/usr/lib/python3.11/os.py"
        before = victim.stat()
        victim.chmod(0o644)
        text = victim.read_bytes()
        victim.write_bytes(text.replace(b"OS routines", b"XX routines", 1))
        victim.chmod(0o444)
        for line in (["run", "--image", "python", "-"], ["image", "inspect", "python"]):
            call = self.call(*line, input="")
            self.assertEqual((call.returncode, call.stdout), (125, ""))
            self.assertIn("build it again: sandboxctl image build python", call.stderr)
            self.assertIn("it was changed after the build", call.stderr)
        # With its time put back only the check of contents sees it.
        os.utime(victim, (before.st_mtime, before.st_mtime))
        self.assertEqual(self.image("inspect", "python").returncode, 0)
        call = self.image("inspect", "python", "--verify")
        self.assertEqual(call.returncode, 125)
        self.assertIn("usr/lib/python3.11/os.py: its content is another one", call.stderr)

    def test_a_changed_manifest_is_refused(self):
        self.directory.chmod(0o755)
        manifest = self.directory / "manifest"
        manifest.chmod(0o644)
        manifest.write_bytes(manifest.read_bytes().replace(b" 444 ", b" 555 ", 1))
        call = self.call("exec", "--image", "python", "--", "true")
        self.assertEqual(call.returncode, 125)
        self.assertIn("not the one that 'digest' tells", call.stderr)
        self.assertIn("not the one", json.loads(self.image("list", "--json").stdout)
                      ["images"][0]["problem"])

    def test_what_others_may_write_to_is_refused(self):
        for path in (self.store, self.directory, self.directory / "root"):
            before = path.stat().st_mode
            path.chmod(0o777)
            call = self.call("exec", "--image", "python", "--", "true")
            self.assertEqual(call.returncode, 125)
            self.assertIn(f"{path} can be written to by others", call.stderr)
            path.chmod(before)

    def test_removing_one_in_use_leaves_it_to_who_uses_it(self):
        # It begins to import only when the image has been removed.
        program = ("import time\nprint('up', flush=True)\ntime.sleep(4)\n"
                   "import decimal\nprint(decimal.Decimal(7))")
        command = [COMMAND, "exec", "--image", "python", "--", "python3", "-c", program]
        with subprocess.Popen(command, env=self.environment(), stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, text=True) as user:
            self.assertEqual(user.stdout.readline(), "up\n")
            call = self.image("remove", "python")
            self.assertEqual(call.returncode, 0)
            self.assertIn("still used by a sandbox", call.stderr)
            self.assertEqual(json.loads(self.image("list", "--json").stdout)["images"], [])
            self.assertEqual(user.stdout.read(), "7\n")
        self.assertEqual(user.returncode, 0)
        self.image("list")
        self.assertEqual(self.entries(), [])

    def test_removing_takes_all_of_it(self):
        self.assertEqual(self.image("remove", "python").returncode, 0)
        self.assertEqual(self.entries(), [])


if __name__ == "__main__":
    unittest.main()
