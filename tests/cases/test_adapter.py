# The adapter: how a request becomes a command line, how a receipt becomes a result.
# SPDX-License-Identifier: MIT
import base64
import contextlib
import hashlib
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import unittest
import unittest.mock

import adapter

ADAPTER = [sys.executable, "-B", str(pathlib.Path(__file__).with_name("adapter.py"))]


def alive(token):
    for entry in pathlib.Path("/proc").glob("[0-9]*/cmdline"):
        with contextlib.suppress(OSError):
            if token.encode() in entry.read_bytes():
                return True
    return False


def wait_until(condition, seconds=20):
    end = time.monotonic() + seconds
    while not condition() and time.monotonic() < end:
        time.sleep(0.05)
    return condition()


START = ["run", "--json", "--without", "write_xor_execute"]


class Lines(unittest.TestCase):
    def line(self, **request):
        return adapter.command_line({"program": "/p.py", **request})[1:]

    def test_a_bare_request(self):
        self.assertEqual(self.line(), START + ["--", "/p.py"])

    def test_numbers_have_their_unit_and_texts_are_passed_on(self):
        limits = {"wall_s": 2.0, "cpu_s": 1.5, "memory_mb": 64, "pids": 8.0,
                  "output_bytes": 65536.0, "work_mb": 0.5, "fsize_mb": "12Q"}
        self.assertEqual(self.line(limits=limits)[:-2], [
            "run", "--json", "--timeout=2s", "--cpu-time=1.5s",
            "--memory=64M", "--processes=8", "--output=65536",
            "--work=524288", "--file-size=12Q", *START[2:]])
        self.assertIn("--memory=-1M", self.line(limits={"memory_mb": -1}))
        self.assertIn("--memory=0M", self.line(limits={"memory_mb": 0}))

    def test_the_rest_of_a_request(self):
        line = self.line(python="/py", stdin_file="/in", artifacts_dir="/out", profile="strict",
                         inputs=[{"name": "n", "path": "/f"}])
        self.assertEqual(line[4:-2], ["--profile=strict", "--image=host:/py", "--stdin=/in",
                                      "--in=/f:n", "--out=/out", "--force"])

    def test_a_case_without_an_interpreter_takes_the_image_of_the_environment(self):
        with unittest.mock.patch.dict(os.environ, SANDBOX_CASES_IMAGE="data"):
            self.assertIn("--image=data", self.line())
            self.assertNotIn("--image=data", self.line(python="/py"))


class Results(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="sandbox-adapter-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def request(self, source, **more):
        program = self.folder / "program.py"
        program.write_text(source)
        path = self.folder / "request.json"
        path.write_text(json.dumps({"program": str(program), "limits": {}, **more}))
        return str(path)

    def result(self, source, **more):
        call = subprocess.run([*ADAPTER, self.request(source, **more)], stdin=subprocess.DEVNULL,
                              capture_output=True, timeout=90, check=True)
        return json.loads(call.stdout)

    def out(self, result):
        return base64.b64decode(result["stdout_b64"])

    def test_exit(self):
        result = self.result("import sys\nprint('out')\nsys.exit(3)")
        self.assertEqual((result["outcome"], result["exit"], self.out(result)),
                         ("exited", 3, b"out\n"))
        self.assertIn(result["enforced"]["memory"], ("cgroup", "rlimit"))

    def test_signal(self):
        result = self.result("import os\nos.kill(os.getpid(), 11)")
        self.assertEqual((result["outcome"], result["exit"], result["signal"]),
                         ("killed", 139, "SIGSEGV"))

    def test_timeout(self):
        result = self.result("while True: pass", limits={"wall_s": 1})
        self.assertEqual((result["outcome"], result["exit"]), ("timeout", 124))

    def test_bytes_and_cuts(self):
        result = self.result("import sys\nsys.stdout.buffer.write(b'\\xff' * 10)")
        self.assertEqual((self.out(result), result["stdout_truncated"]), (b"\xff" * 10, False))
        result = self.result("print('x' * 5000)", limits={"output_bytes": 1024})
        self.assertTrue(result["stdout_truncated"])
        self.assertLess(len(self.out(result)), 1024 + 100)

    def test_artifacts(self):
        out = self.folder / "out"
        out.mkdir()
        for _ in range(2):
            result = self.result("open('a.txt', 'w').write('A')", artifacts_dir=str(out))
            self.assertEqual((result["exit"], result["artifacts"]), (0, [
                {"name": "a.txt", "size": 1, "sha256": hashlib.sha256(b"A").hexdigest()}]))

    def test_refusals(self):
        for more in ({"limits": {"memory_mb": "12Q"}}, {"limits": {"pids": 0}},
                     {"inputs": [{"name": "../x", "path": __file__}]},
                     {"inputs": [{"name": "a\0b", "path": __file__}]}):
            result = self.result("print('ran')", **more)
            self.assertEqual((result["outcome"], self.out(result)), ("refused", b""), more)
            self.assertTrue(result["error"])

    def test_an_ignored_sigchld_keeps_the_exit_code(self):
        call = subprocess.run([*ADAPTER, self.request("raise SystemExit(5)")], capture_output=True,
                              timeout=90, check=True,
                              preexec_fn=lambda: signal.signal(signal.SIGCHLD, signal.SIG_IGN))
        self.assertEqual(json.loads(call.stdout)["exit"], 5)

    def test_a_signal_goes_on_to_the_command(self):
        token = f"77.{os.getpid()}"
        request = self.request(f"import subprocess\nsubprocess.run(['sleep', '{token}'])")
        process = subprocess.Popen([*ADAPTER, request], stdout=subprocess.PIPE)
        self.assertTrue(wait_until(lambda: alive(token)), "the program never came up")
        process.send_signal(signal.SIGTERM)
        out, _ = process.communicate(timeout=30)
        self.assertFalse(alive(token))
        self.assertEqual(json.loads(out)["exit"], 143)


if __name__ == "__main__":
    unittest.main()
