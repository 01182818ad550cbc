# How the tests of this folder call the command, and change the machine for the length of a test.
# They run as root in a machine that is thrown away (scripts/test-vm).
# SPDX-License-Identifier: MIT
import contextlib
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest
from collections.abc import Iterator
from typing import Any

COMMAND = os.environ["SANDBOXCTL"]
CGROUPS = pathlib.Path("/sys/fs/cgroup")
ROOT, USER = 0, 1001
IDENTITIES = ((ROOT, "root"), (USER, "ordinary user"))

# Whose cgroup a command is in: the service's of root, or one that is delegated to the user
# (scripts/vm/guest.sh makes both).
SERVICE, DELEGATED = CGROUPS / "service", CGROUPS / "user" / "main"

REFUSED, WEAKER = 1, 0  # exit codes of doctor: no program runs; they run, with less in force


@contextlib.contextmanager
def sysctl(name: str, value: int) -> Iterator[None]:
    file = pathlib.Path("/proc/sys", name.replace(".", "/"))
    before = file.read_text()
    file.write_text(f"{value}\n")
    try:
        yield
    finally:
        file.write_text(before)


class HostTest(unittest.TestCase):
    maxDiff = None

    def setUp(self) -> None:
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="sandboxctl-vm-"))
        self.folder.chmod(0o755)
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def program(self, source: str) -> str:
        path = self.folder / "given.py"
        path.write_text(source)
        path.chmod(0o644)
        return str(path)

    def start(self, uid: int, *arguments: str, command: str = COMMAND,
              cgroup: pathlib.Path = SERVICE) -> subprocess.Popen[str]:
        """The command as that user, with no right and no group but its own."""
        def enter() -> None:
            (cgroup / "cgroup.procs").write_text(str(os.getpid()))
            if uid != ROOT:
                os.setgroups([])
                os.setresgid(uid, uid, uid)
                os.setresuid(uid, uid, uid)

        return subprocess.Popen([command, *arguments], stdin=subprocess.DEVNULL,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                cwd="/", preexec_fn=enter)

    def call(self, uid: int, *arguments: str, **more: Any) -> tuple[int, str, str]:
        process = self.start(uid, *arguments, **more)
        try:
            out, err = process.communicate(timeout=60)
        finally:
            process.kill()
        return process.returncode, out, err

    def receipt(self, uid: int, source: str, *options: str, **more: Any) -> dict[str, Any]:
        _, out, err = self.call(uid, "run", "--json", *options, self.program(source), **more)
        self.assertTrue(out, err)
        return json.loads(out)

    def assert_runs(self, uid: int, *options: str, **more: Any) -> dict[str, Any]:
        receipt = self.receipt(uid, "print(6 * 7)", *options, **more)
        self.assertEqual((receipt["outcome"], receipt["stdout"]), ("exited", "42\n"), receipt)
        return receipt

    def assert_refused(self, uid: int, code: str, *words: str, options: tuple[str, ...] = (),
                       **more: Any) -> str:
        """Nothing ran; the error's code, and the words that its sentence must hold."""
        receipt = self.receipt(uid, "print(6 * 7)", *options, **more)
        self.assertEqual(receipt["outcome"], "refused", receipt)
        self.assertIsNone(receipt["stdout"])
        message = receipt["error"]["message"]
        self.assertEqual(receipt["error"]["code"], code, message)
        self.assert_says(message, *words)
        return message

    def assert_says(self, sentence: str, *words: str) -> None:
        for word in words:
            self.assertIn(word, sentence)

    def doctor(self, uid: int, exit_code: int, **more: Any) -> dict[str, dict[str, str]]:
        """What it says of each check; its verdict must be that of its exit code, and of them."""
        code, out, err = self.call(uid, "doctor", "--json", **more)
        self.assertTrue(out, err)
        said = json.loads(out)
        self.assertIn("works", said)
        self.assertEqual((code, said["works"]), (exit_code, exit_code != REFUSED), out)
        self.assertEqual(said["error"] is None, said["works"], out)
        refused = [check for check in said["checks"] if check["state"] == "refused"]
        self.assertEqual(refused == [], said["works"], refused)
        return {check["name"]: check for check in said["checks"]}

    def assert_check(self, checks: dict[str, dict[str, str]], name: str, state: str,
                     *words: str) -> None:
        """The check of that name has the state, and its fix holds the words."""
        self.assertIn(name, checks)
        self.assertEqual(checks[name]["state"], state, checks[name])
        self.assert_says(checks[name]["fix"], *words)
