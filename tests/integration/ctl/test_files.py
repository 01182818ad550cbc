# What goes in and what comes back.
# SPDX-License-Identifier: MIT
import hashlib
import os
import unittest

from ctl import CtlTest


class Program(CtlTest):
    def test_from_standard_input(self):
        call = self.call("run", "-", input=b"import sys; print(repr(sys.stdin.read()))")
        self.assertEqual((call.returncode, call.stdout), (0, b"''\n"))

    def test_its_bytes_are_not_judged(self):
        call = self.run_program(b"print('caf\xe9')\n")
        self.assertEqual((call.returncode, call.stdout), (1, b""))
        self.assertIn(b"SyntaxError", call.stderr)

        source = (b"# coding: latin-1\r\nimport hashlib\n"
                  b"print(hashlib.sha256(open(__file__, 'rb').read()).hexdigest())\n# \xe9\xff\n")
        call = self.run_program(source)
        self.assertEqual(call.stdout.decode().strip(), hashlib.sha256(source).hexdigest())

    def test_it_is_a_file_of_the_work_directory(self):
        call = self.run_program("import os, sys\nprint(os.getcwd(), __file__, sys.argv)")
        self.assertEqual(call.stdout, b"/work /work/program.py ['/work/program.py']\n")

    def test_refusals(self):
        for path, part in (("/nonexistent.py", b"No such file"), (str(self.folder), b"directory"),
                           ("/dev/zero", b"64 MiB")):
            call = self.call("run", path)
            self.assertEqual((call.returncode, call.stdout), (125, b""))
            self.assertIn(part, call.stderr)


class Inputs(CtlTest):
    def test_stdin(self):
        source = "import sys\nprint(sys.stdin.read().upper())"
        call = self.run_program(source, "--stdin=" + self.file("in.txt", "text"))
        self.assertEqual(call.stdout, b"TEXT\n")
        call = self.run_program(source, "--stdin=-", input=b"piped")
        self.assertEqual(call.stdout, b"PIPED\n")

    def test_names(self):
        data = self.file("data:1.csv", "1,2")
        source = "print(open('data:1.csv').read(), open('sub/b.csv').read())"
        call = self.run_program(source, "--in", data, "--in", f"{data}:sub/b.csv")
        self.assertEqual((call.returncode, call.stdout), (0, b"1,2 1,2\n"))

    def test_bad_names_are_refused(self):
        data = self.file("data.csv", "1,2")
        for name in ("../x", "/abs", "a/../../b", "a/../b", "..", ".", "", "a//b", "a\\b"):
            with self.subTest(name=name):
                call = self.run_program("print(1)", f"--in={data}:{name}")
                self.assertEqual((call.returncode, call.stdout), (125, b""))
                self.assert_one_line(call, "--in")

    def test_environment_and_directory(self):
        call = self.run_program(
            "import os\nprint(os.environ['A'], os.environ.get('SECRET'), os.getcwd())",
            "--env=A=x=y", "--workdir=/tmp", env=dict(os.environ, SECRET="canary"))
        self.assertEqual(call.stdout, b"x=y None /tmp\n")


class Outputs(CtlTest):
    def setUp(self):
        super().setUp()
        self.out = self.folder / "out" / "deep"

    def found(self):
        return sorted(str(p.relative_to(self.out)) for p in self.out.rglob("*") if not p.is_dir())

    def test_regular_files_come_back(self):
        source = """
import os
os.makedirs("d/e")
open("d/e/f.bin", "wb").write(bytes(range(256)))
open("a.txt", "w").write("text")
os.symlink("/etc/passwd", "link")
os.symlink("d", "dirlink")
os.mkfifo("pipe")
import helper
"""
        helper = self.file("helper.py", "x = 1\n")
        call, receipt = self.run_json(source, "--out", str(self.out), "--in", helper,
                                      "--env=PYTHONDONTWRITEBYTECODE=")
        self.assertEqual(call.returncode, 0, call.stderr)
        self.assertEqual(self.found(), ["a.txt", "d/e/f.bin"])
        content = (self.out / "d/e/f.bin").read_bytes()
        self.assertEqual(content, bytes(range(256)))
        files = {f["name"]: f for f in receipt["files"]}
        self.assertEqual(sorted(files), ["a.txt", "d/e/f.bin"])
        self.assertEqual(files["d/e/f.bin"]["bytes"], 256)
        self.assertEqual(files["d/e/f.bin"]["sha256"], hashlib.sha256(content).hexdigest())
        self.assertIn(b"link: a link", call.stderr)

    def test_inputs_come_back_when_they_changed(self):
        kept, changed = self.file("kept.txt", "1"), self.file("changed.txt", "1")
        call = self.run_program("open('changed.txt', 'a').write('2')", "--out", str(self.out),
                                "--in", kept, "--in", changed)
        self.assertEqual(call.returncode, 0, call.stderr)
        self.assertEqual(self.found(), ["changed.txt"])

    def test_unchanged_inputs_do_not_count(self):
        big = self.file("a-big.bin", b"x" * 100000)
        call = self.run_program("open('z', 'w').write('ok')", "--out", str(self.out), "--in", big,
                                "--out-max-bytes=10", "--out-max-files=1")
        self.assertEqual((call.returncode, call.stderr), (0, b""))
        self.assertEqual(self.found(), ["z"])

    def test_caps(self):
        source = "for n in range(5): open(f'f{n}', 'w').write('x' * 10)"
        call = self.run_program(source, "--out", str(self.out), "--out-max-files=3")
        self.assertEqual((call.returncode, self.found()), (0, ["f0", "f1", "f2"]))
        self.assertIn(b"left out f3: more than 3 files", call.stderr)

        self.out = self.folder / "second"
        call = self.run_program(source, "--out", str(self.out), "--out-max-bytes=25")
        self.assertEqual((call.returncode, self.found()), (0, ["f0", "f1"]))
        self.assertIn(b"left out f2", call.stderr)

    def test_what_a_stopped_program_left_comes_back(self):
        call = self.run_program("open('partial', 'w').write('1')\nwhile True: pass",
                                "--timeout=1s", "--out", str(self.out))
        self.assertEqual((call.returncode, self.found()), (124, ["partial"]))

    def test_existing_files_stay_without_force(self):
        self.out.mkdir(parents=True)
        (self.out / "a.txt").write_text("mine")
        source = "open('a.txt', 'w').write('new')\nopen('b.txt', 'w').write('b')"
        call, receipt = self.run_json(source, "--out", str(self.out))
        self.assertEqual(call.returncode, 125)
        self.assertEqual((self.out / "a.txt").read_text(), "mine")
        self.assertEqual((self.out / "b.txt").read_text(), "b")
        self.assertEqual((receipt["outcome"], receipt["exit_code"]), ("exited", 0))
        self.assertEqual([f["name"] for f in receipt["files"]], ["b.txt"])
        self.assertIn("--force", receipt["error"]["message"])

        call = self.run_program(source, "--out", str(self.out), "--force")
        self.assertEqual((call.returncode, call.stderr), (0, b""))
        self.assertEqual((self.out / "a.txt").read_text(), "new")

    def test_links_of_the_host_are_not_followed(self):
        secret = self.folder / "secret"
        secret.mkdir()
        (secret / "key").write_text("untouched")
        self.out.mkdir(parents=True)
        (self.out / "a.txt").symlink_to(secret / "key")
        (self.out / "d").symlink_to(secret)
        source = ("import os\nopen('a.txt', 'w').write('x')\n"
                  "os.mkdir('d')\nopen('d/key', 'w').write('x')")
        call = self.run_program(source, "--out", str(self.out), "--force")
        self.assertEqual(call.returncode, 125)
        self.assertEqual((secret / "key").read_text(), "untouched")
        self.assertEqual((self.out / "a.txt").read_text(), "x")
        self.assertFalse((self.out / "a.txt").is_symlink())

    def test_hostile_names_stay_inside(self):
        source = """
import os
open("..\\\\up", "w").write("x")
open("new\\nline", "w").write("x")
open("esc\\x1b[2J", "w").write("x")
open(b"bad\\xff", "w").write("x")
open("ok", "w").write("x")
"""
        call, receipt = self.run_json(source, "--out", str(self.out))
        self.assertEqual((call.returncode, self.found()), (0, ["ok"]))
        self.assertNotIn(b"\x1b", call.stderr)
        self.assertEqual([f["name"] for f in receipt["files"]], ["ok"])

    def test_a_bad_directory_is_told_before_the_program_runs(self):
        occupied = self.file("occupied", "")
        call = self.run_program("print('ran')", "--out", occupied)
        self.assertEqual((call.returncode, call.stdout), (125, b""))
        self.assert_one_line(call, "--out", "occupied")


if __name__ == "__main__":
    unittest.main()
