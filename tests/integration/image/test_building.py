# Builds that are stopped, that meet each other, and that cannot be.
# SPDX-License-Identifier: MIT
import contextlib
import os
import shutil
import signal
import subprocess
import time
import unittest

from ctl import COMMAND, processes_with, wait_until
from images import ImageTest, require_image


class Refused(ImageTest):
    def test_without_mmdebstrap(self):
        empty = self.data / "bin"
        empty.mkdir()
        call = self.image("build", "python", env=self.environment(PATH=str(empty)))
        self.assertEqual(call.returncode, 125)
        self.assertIn("there is no mmdebstrap on PATH", call.stderr)
        self.assertIn("apt install mmdebstrap", call.stderr)
        self.assertEqual(self.entries(), [])

    @unittest.skipUnless(shutil.which("mmdebstrap"), "there is no mmdebstrap")
    def test_without_a_mirror_that_answers(self):
        call = self.image("build", "python", "--mirror", "http://me:secret@127.0.0.1:9/debian")
        self.assertEqual((call.returncode, call.stdout), (125, ""))
        last = call.stderr.splitlines()[-1]
        self.assertIn("could not be fetched from http://***@127.0.0.1:9/debian; check the network, "
                      "or name a mirror that can be reached with --mirror URL", last)
        self.assertNotIn("secret", call.stderr)
        self.assertEqual(self.entries(), [])

    def test_a_store_that_others_may_write_to(self):
        self.store.mkdir(parents=True)
        self.store.chmod(0o777)
        call = self.image("build", "python")
        self.assertEqual(call.returncode, 125)
        self.assertIn("can be written to by others", call.stderr)
        self.assertEqual(self.entries(), [])


class Builds(ImageTest):
    def setUp(self):
        require_image("python")
        if not shutil.which("mmdebstrap"):
            raise unittest.SkipTest("there is no mmdebstrap")
        super().setUp()

    @contextlib.contextmanager
    def building(self, *options):
        with subprocess.Popen([COMMAND, "image", "build", "python", *options],
                              env=self.environment(), stdout=subprocess.DEVNULL,
                              stderr=subprocess.PIPE, text=True) as build:
            try:
                yield build
            finally:
                build.kill()

    def read_until(self, build, word):
        seen = ""
        for line in build.stderr:
            seen += line
            if word in line:
                return
        self.skip_without_mirror(seen)
        self.fail(f"never said {word!r}: {seen}")

    def skip_without_mirror(self, said):
        if "could not be fetched" in said:
            self.skipTest("the mirror cannot be reached now")

    def processes(self):
        """All that works on this store, by its path in their command lines."""
        return processes_with(str(self.data))

    def test_a_signal_in_each_phase_leaves_nothing(self):
        for word, number, code in (("fetching", signal.SIGINT, 130),
                                   ("unpacked", signal.SIGTERM, 143),
                                   ("made bytecode", signal.SIGHUP, 129)):
            with self.subTest(phase=word), self.building() as build:
                self.read_until(build, word)
                if word == "fetching":
                    self.assertTrue(wait_until(lambda: len(self.processes()) > 1))
                build.send_signal(number)
                said = build.stderr.read()
                ended = build.wait(timeout=60)
                if word == "made bytecode" and ended == 0:  # it was faster than the signal
                    self.assertEqual(self.entries(), ["python"])
                    continue
                self.assertEqual(ended, code, said)
                self.assertIn("stopped by", said)
                self.assertEqual(self.entries(), [])
                self.assertTrue(wait_until(lambda: not self.processes()), self.processes())

    def test_a_signal_while_packages_are_unpacked(self):
        with self.building() as build:
            self.read_until(build, "fetching")
            unpacks = lambda: next(self.store.glob(".building-*/root/usr/share/doc"), None)
            self.assertTrue(wait_until(lambda: unpacks() or build.poll() is not None, 120))
            build.send_signal(signal.SIGINT)
            said = build.stderr.read()
            self.skip_without_mirror(said)
            self.assertEqual(build.wait(timeout=60), 130, said)
        self.assertEqual(self.entries(), [])
        self.assertTrue(wait_until(lambda: not self.processes()), self.processes())

    def test_a_killed_build_is_swept(self):
        with self.building() as build:
            self.read_until(build, "fetching")
            self.assertTrue(wait_until(lambda: len(self.processes()) > 1))
            build.kill()
        self.assertTrue(wait_until(lambda: not self.processes()), self.processes())
        self.assertEqual(len(self.entries()), 1)
        self.assertEqual(self.image("list").returncode, 0)
        self.assertEqual(self.entries(), [])

    def test_two_at_once_make_one_whole_image(self):
        with self.building() as first, self.building() as second:
            said = [build.communicate(timeout=280)[1] for build in (first, second)]
            self.skip_without_mirror("".join(said))
            self.assertEqual((first.returncode, second.returncode), (0, 0), said)
        self.assertEqual(self.entries(), ["python"])
        self.assertEqual(self.image("inspect", "python", "--verify").returncode, 0)

    def test_another_name_and_a_package_more(self):
        started = time.time()
        call = self.image("build", "python", "--name", "six", "--add", "python3-six", "--quiet")
        self.skip_without_mirror(call.stderr)
        self.assertEqual((call.returncode, call.stderr), (0, ""))
        call = self.call("exec", "--image", "six", "--", "python3", "-c",
                         "import six; print(six.__name__, six.__cached__)")
        self.assertIn("six /usr/lib/python3/dist-packages/__pycache__/six.", call.stdout)
        for path in (self.store / "six/root").rglob("*"):
            if not path.is_symlink():
                self.assertEqual(path.lstat().st_mode & 0o7222, 0, path)
                self.assertEqual(path.lstat().st_uid, os.geteuid())
        self.assertGreater((self.store / "six/root/usr").stat().st_mtime, started - 2)
        self.assertFalse(list((self.store / "six").rglob("apt.conf")))

    def test_an_unknown_package_is_told(self):
        call = self.image("build", "python", "--add", "python3-of-nowhere")
        self.skip_without_mirror(call.stderr)
        self.assertEqual(call.returncode, 125)
        self.assertIn("a package is not in that release", call.stderr)
        self.assertIn("python3-of-nowhere", call.stderr)
        self.assertEqual(self.entries(), [])


if __name__ == "__main__":
    unittest.main()
