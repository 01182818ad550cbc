# What the lints share: which files there are, how C++ text is blanked, how a lint reports.
# SPDX-License-Identifier: MIT
import os
import pathlib
import re
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
SKIPPED = 77  # SKIP_RETURN_CODE of these tests


def source_files(root, suffixes):
    """Files under `root` with one of the suffixes, without build trees and hidden folders."""
    found = []
    other = re.compile(r"\.(?!ci$)|build$|build-|__pycache__$")
    for folder, folders, names in os.walk(root):
        folders[:] = sorted(f for f in folders if not other.match(f))
        found += [pathlib.Path(folder, n) for n in sorted(names) if n.endswith(tuple(suffixes))]
    return found


_LITERAL = re.compile(
    r"""//[^\n]*
      | /\*.*?\*/
      | (?:u8|[uUL])?R"(?P<tag>[^()\\\s]{0,16})\(.*?\)(?P=tag)"
      | (?<![\w'])(?:u8|[uUL])?'(?:\\.|[^'\\\n])+'
      | (?:u8|[uUL])?"(?:\\.|[^"\\\n])*"
    """,
    re.VERBOSE | re.DOTALL,
)


def blank(text, keep_strings=False):
    """The same text without comments and with empty literals; line numbers stay."""

    def empty(match):
        token = match.group()
        lines = "\n" * token.count("\n")
        if token.startswith("/"):
            return " " + lines
        if keep_strings:
            return token
        return ("''" if "'" == token[-1] else '""') + lines

    return _LITERAL.sub(empty, text)


def report(name, problems, checked):
    """Prints the problems; the exit code of the lint."""
    for problem in problems:
        print(problem)
    if problems:
        print(f"{name}: {len(problems)} problem(s)")
        return 1
    if checked == 0:
        print(f"{name}: nothing was checked, which cannot be right")
        return 1
    print(f"{name}: {checked} checked, no problem")
    return 0


def skip(reason):
    """Ends the test as skipped; with SANDBOX_TESTS_MUST_WORK=1 as failed."""
    print(f"skipped: {reason}")
    sys.exit(1 if os.environ.get("SANDBOX_TESTS_MUST_WORK") == "1" else SKIPPED)


class SelfTest:
    """Shows that a lint sees what it must see, and is quiet otherwise."""

    def __init__(self, name):
        self.name = name
        self.count = 0
        self.failures = []

    def expect(self, what, problems, *wanted):
        """`problems` are exactly as many as `wanted`, each holding the wanted text."""
        self.count += 1
        problems = [str(p) for p in problems]
        unseen = [w for w in wanted if not any(w in p for p in problems)]
        if unseen or len(problems) != len(wanted):
            self.failures.append(f"{what}: wanted {list(wanted)}, got {problems}")

    def finish(self):
        for failure in self.failures:
            print(failure)
        print(f"{self.name} self-test: {self.count} checks, {len(self.failures)} wrong")
        return 1 if self.failures or not self.count else 0


def tree(files):
    """A temporary directory that holds the given {path: text}."""
    folder = tempfile.TemporaryDirectory(prefix="sandbox-lint-")
    for name, text in files.items():
        path = pathlib.Path(folder.name, name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder
