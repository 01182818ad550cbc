# What the tests of this folder share: a call of the command on a host of some shape, the answers
# that may come back, and the proof that nothing of the call is left.
# SPDX-License-Identifier: MIT
import dataclasses
import functools
import json
import os
import pathlib
import shlex
import subprocess
import sys
import time
import unittest

import kernel
from as_host import CANNOT_BE_MADE

COMMAND = os.environ["SANDBOXCTL"]
SANITIZED = os.environ.get("SANDBOX_SANITIZED", "") not in ("", "0")
IS_ROOT = os.geteuid() == 0
AS_HOST = [sys.executable, "-B", str(pathlib.Path(__file__).with_name("as_host.py"))]
TIMEOUT = 60
os.environ["PATH"] = "/usr/bin:/bin"  # a python3 that every user can reach
if SANITIZED:  # the search for leaks takes a process and a /proc that these hosts do not give
    os.environ["ASAN_OPTIONS"] = os.environ.get("ASAN_OPTIONS", "") + ":detect_leaks=0"
STARVES_SANITIZERS = {"no-proc", "few-processes", "very-few-files", "little-stack"}
CGROUP_FIELDS = {"memory", "protections.cgroup", "protections.processes"}


@dataclasses.dataclass(frozen=True)
class Answer:
    """What is expected of a host.

    weaker: fields of the receipt's `enforced` that differ from this host's, and how.
    codes and words: of the refusal; of words in a group one must be there.
    notice: words of the warning on stderr.
    shown_by: what fails on other hosts, a shell line or a command with its whole path.
    """
    weaker: dict[str, object] = dataclasses.field(default_factory=dict)
    codes: tuple[str, ...] = ()
    words: tuple[str | tuple[str, ...], ...] = ()
    notice: str = ""
    shown_by: str = ""


def refused(code: str | tuple[str, ...], *words: str | tuple[str, ...]) -> Answer:
    return Answer(codes=(code,) if isinstance(code, str) else code, words=words)


def flat(tree: dict, prefix: str = "") -> dict[str, object]:
    found: dict[str, object] = {}
    for name, value in tree.items():
        if isinstance(value, dict):
            found |= flat(value, f"{prefix}{name}.")
        else:
            found[prefix + name] = value
    return found


def missing_words(text: str, words: tuple[str | tuple[str, ...], ...]) -> list[str]:
    groups = [(word,) if isinstance(word, str) else word for word in words]
    return [" or ".join(group) for group in groups
            if not any(word.lower() in text.lower() for word in group)]


def call_on(shape: str | None, *arguments: str, **more) -> subprocess.CompletedProcess:
    prefix = [*AS_HOST, shape, "--"] if shape else []
    return subprocess.run([*prefix, *arguments], capture_output=True, timeout=TIMEOUT, check=False,
                          **more)


@functools.cache
def has_doctor() -> bool:
    return b"\n  doctor " in call_on(None, COMMAND, "--help").stdout


@functools.cache
def receipt_here() -> dict:
    """What a run on this host as it is tells."""
    return json.loads(call_on(None, COMMAND, "run", "--json", "-", input=b"").stdout)


def mounts() -> list[str]:
    lines = pathlib.Path("/proc/self/mountinfo").read_text(encoding="utf-8").splitlines()
    return sorted(line.split(" - ")[0] for line in lines)


@functools.cache
def own_mount_namespace() -> bool:
    """Root's tests have mounts of their own, in which nobody else mounts at the same time."""
    try:
        kernel.unshare(kernel.CLONE_NEWNS)
        kernel.mount("none", "/", flags=kernel.MS_REC | kernel.MS_PRIVATE)
    except OSError:
        return False
    return True


class HostTest(unittest.TestCase):
    def setUp(self):
        # What a call leaves behind becomes a child of this process.
        kernel.prctl(kernel.PR_SET_CHILD_SUBREAPER, 1)
        if own_mount_namespace():
            before = mounts()
            self.addCleanup(lambda: self.assertEqual(mounts(), before))
        self.addCleanup(self.assert_no_process_left)

    def assert_no_process_left(self):
        end = time.monotonic() + 10
        while time.monotonic() < end:
            try:
                if os.waitpid(-1, os.WNOHANG)[0] == 0:
                    time.sleep(0.02)
            except ChildProcessError:
                return
        self.fail("a process outlives its call")

    def on(self, shape: str | None, *arguments: str, **more) -> subprocess.CompletedProcess:
        if SANITIZED and shape in STARVES_SANITIZERS:
            self.skipTest(f"{shape}: the sanitizers themselves do not start there")
        done = call_on(shape, *arguments, **more)
        if shape and done.returncode == CANNOT_BE_MADE:
            self.skipTest(f"{shape}: {done.stderr.decode().strip()}")
        return done

    def run_on(self, shape: str | None) -> tuple[subprocess.CompletedProcess, dict]:
        done = self.on(shape, COMMAND, "run", "--json", "-", input=b"print('ran')")
        self.assertTrue(done.stdout.startswith(b"{"), (done.returncode, done.stdout, done.stderr))
        return done, json.loads(done.stdout)

    def assert_works(self, shape: str, expected: Answer):
        plain = receipt_here()
        done, receipt = self.run_on(shape)
        self.assertIsNone(receipt["error"])
        self.assertEqual((done.returncode, receipt["outcome"], receipt["stdout"]),
                         (0, "exited", "ran\n"))
        now, here = flat(receipt["enforced"]), flat(plain["enforced"])
        # Where this host gives out cgroups, not each of the emulated ones has a way to them.
        passed_over = CGROUP_FIELDS if here["protections.cgroup"] == "on" else set()
        differs = {name: now.get(name) for name in (now.keys() | here.keys()) - passed_over
                   if now.get(name) != here.get(name)}
        wanted = {name: value for name, value in expected.weaker.items()
                  if here[name] != value and name not in passed_over}
        self.assertEqual(differs, wanted)
        text = done.stderr.decode()
        if expected.notice:
            self.assertIn(expected.notice, text)
        else:
            self.assertEqual(text, "")

    def assert_refused(self, shape: str, expected: Answer):
        done, receipt = self.run_on(shape)
        error = receipt["error"]
        self.assertIsNotNone(error, f"the program ran: {receipt['stdout']!r}")
        self.assertEqual((done.returncode, receipt["outcome"]), (125, "refused"))
        self.assertIsNone(receipt["stdout"])
        self.assertIn(error["code"], expected.codes, error["message"])
        self.assertEqual(missing_words(error["message"], expected.words), [], error["message"])
        told = self.on(shape, COMMAND, "run", "-", input=b"print('ran')")
        self.assertEqual((told.returncode, told.stdout), (125, b""))
        self.assertTrue(told.stderr.decode().endswith(f"sandboxctl: {error['message']}\n"))
        self.assertEqual(receipt_here()["outcome"], "exited", "it is refused here anyway")

    def assert_shown(self, shape: str, line: str):
        command = shlex.split(line) if line.startswith("/") else ["/bin/sh", "-c", line]
        if self.on(None, *command).returncode == 0:
            self.skipTest(f"this host is itself one of the shape {shape}")
        done = self.on(shape, *command)
        self.assertEqual(done.returncode, 0, (line, done.stdout, done.stderr))

    def diagnose(self, shape: str | None) -> tuple[int, dict]:
        if not has_doctor():
            self.skipTest("this sandboxctl has no doctor")
        done = self.on(shape, COMMAND, "doctor", "--json")
        self.assertTrue(done.stdout.startswith(b"{"), (done.returncode, done.stdout, done.stderr))
        return done.returncode, json.loads(done.stdout)

    def assert_diagnosed(self, shape: str, expected: Answer):
        code, found = self.diagnose(shape)
        self.assertEqual((code, found["works"]), (1, False) if expected.codes else (0, True), found)
        states = {check["name"]: check["state"] for check in found["checks"]}
        self.assertLessEqual(set(states.values()), {"ok", "weaker", "refused", "note"})
        if not expected.codes:
            self.assertNotIn("refused", states.values())
            for name in expected.weaker:
                check = name.removeprefix("protections.")
                if check in states:
                    self.assertIn(states[check], ("weaker", "note"), (check, states))
            return
        refusals = [check for check in found["checks"] if check["state"] == "refused"]
        told = " ".join(f"{check['found']} {check['fix']}" for check in refusals)
        self.assertEqual(missing_words(told, expected.words), [], found)
        self.assertTrue(any(check["fix"] for check in refusals), found)
        self.assertIn(found["error"]["code"], expected.codes)


def for_each(expected: dict[str, Answer]):
    """One test of the run and one of the doctor for each host of the table."""
    def add_tests(cls):
        for shape, answer in expected.items():
            def runs(self, shape=shape, answer=answer):
                if answer.shown_by:
                    self.assert_shown(shape, answer.shown_by)
                (self.assert_refused if answer.codes else self.assert_works)(shape, answer)

            def is_diagnosed(self, shape=shape, answer=answer):
                self.assert_diagnosed(shape, answer)

            name = shape.replace("-", "_")
            setattr(cls, f"test_{name}", runs)
            setattr(cls, f"test_doctor_{name}", is_diagnosed)
        return cls
    return add_tests
