# How these tests call the command.
# SPDX-License-Identifier: MIT
import contextlib
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import time
import unittest

COMMAND = os.environ["SANDBOXCTL"]
FIELDS = {
    "outcome", "exit_code", "signal", "stdout", "stderr", "stdout_bytes", "stderr_bytes",
    "stdout_truncated", "stderr_truncated", "stdout_base64", "stderr_base64", "usage", "enforced",
    "denied", "files", "error",
}


def processes_with(token):
    """Processes of the whole machine whose command line holds the token."""
    found = []
    for entry in pathlib.Path("/proc").glob("[0-9]*/cmdline"):
        with contextlib.suppress(OSError):
            if token.encode() in entry.read_bytes() and int(entry.parts[2]) != os.getpid():
                found.append(int(entry.parts[2]))
    return found


def wait_until(condition, seconds=20):
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.05)
    return True


class CtlTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="sandboxctl-test-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def file(self, name, content):
        path = self.folder / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return str(path)

    def call(self, *arguments, **more):
        """A finished call; stdout and stderr are bytes."""
        more.setdefault("stdin", subprocess.DEVNULL if "input" not in more else None)
        if more["stdin"] is None:
            del more["stdin"]
        return subprocess.run([COMMAND, *arguments], capture_output=True, timeout=90, check=False,
                              **more)

    def run_program(self, source, *options, **more):
        return self.call("run", *options, self.file("given.py", source), **more)

    def receipt(self, call):
        """The one strict JSON object on stdout."""
        def no_constant(name):
            raise ValueError(f"not strict JSON: {name}")

        text = call.stdout.decode("utf-8")
        self.assertTrue(text.endswith("}\n"), text[-200:])
        self.assertEqual(text.count("\n"), 1)
        receipt = json.loads(text, parse_constant=no_constant)
        self.assertEqual(set(receipt), FIELDS)
        return receipt

    def run_json(self, source, *options, **more):
        call = self.run_program(source, "--json", *options, **more)
        return call, self.receipt(call)

    def assert_one_line(self, call, *parts):
        """stderr is one line of ours that holds the parts."""
        text = call.stderr.decode()
        self.assertTrue(text.startswith("sandboxctl: "), text)
        self.assertEqual(text.count("\n"), 1, text)
        for part in parts:
            self.assertIn(part, text)
