# What each test did outside and inside, and the list of differences that have a reason.
# SPDX-License-Identifier: MIT
import collections
import dataclasses
import json
import pathlib
import tomllib

# A test may run more than once (a class that two suites share): its worst outcome counts.
RANK = ["passed", "skipped", "failed", "error", "hung", "died"]


@dataclasses.dataclass
class Outcome:
    word: str
    why: str = ""
    seconds: float = 0


@dataclasses.dataclass
class ModuleRun:
    """One module at one place. A test is named MODULE.REST, without the package `test`."""
    module: str
    tests: dict[str, Outcome] = dataclasses.field(default_factory=dict)
    # What went wrong around tests, by the name of what it covers.
    fixtures: dict[str, Outcome] = dataclasses.field(default_factory=dict)
    # Empty: all of it ran.
    trouble: str = ""
    denied: list = dataclasses.field(default_factory=list)

    def name_of(self, identity: str) -> str:
        rest = identity.removeprefix("test.")
        return rest if covers(self.module, rest) else f"{self.module}.{rest}"

    def why_missing(self, name: str) -> Outcome:
        for covered, outcome in self.fixtures.items():
            if covers(covered, name):
                return Outcome("missing", f"{outcome.word}: {outcome.why}")
        return Outcome("missing", self.trouble or "it was not among the tests")


def covers(prefix: str, name: str) -> bool:
    return name == prefix or name.startswith(prefix + ".")


def read_run(module: str, lines: str) -> ModuleRun:
    """From what suite_worker.py printed, and the line {"place": ...} of how that went."""
    run = ModuleRun(module, trouble="it did not tell its end")
    for text in lines.splitlines():
        line = json.loads(text)
        outcome = Outcome(line.get("outcome", ""), line.get("why", ""), line.get("seconds", 0))
        if "test" in line:
            name = run.name_of(line["test"])
            before = run.tests.get(name)
            if before is None or RANK.index(before.word) < RANK.index(outcome.word):
                run.tests[name] = outcome
        elif "fixture" in line:
            # unittest names it "setUpClass (test.test_os.FileTests)".
            named = line["fixture"].partition("(")[2].rstrip(")") or line["fixture"]
            run.fixtures[run.name_of(named)] = outcome
        elif "end" in line:
            run.trouble = "" if line["end"] == "complete" else line["end"]
        elif "place" in line:
            run.trouble = line["place"]["trouble"] or run.trouble
            run.denied = line["place"]["denied"]
    return run


@dataclasses.dataclass
class Difference:
    """A test that passes outside and does not inside."""
    test: str
    word: str
    why: str


def differences_of(outside: ModuleRun, inside: ModuleRun) -> dict[str, Difference]:
    found = {}
    for name, outcome in outside.tests.items():
        if outcome.word != "passed":
            continue
        other = inside.tests.get(name) or inside.why_missing(name)
        if other.word != "passed":
            found[name] = Difference(name, other.word, other.why)
    return found


@dataclasses.dataclass
class Entry:
    prefix: str
    reason: str
    why: str
    # How many tests below it passed outside, and how many of those differ.
    tests: int = 0
    differ: int = 0


class List:
    """The differences with a reason. Broken lists raise ValueError."""

    def __init__(self, path: pathlib.Path):
        with open(path, "rb") as file:
            data = tomllib.load(file)
        self.reasons: dict[str, str] = data["reasons"]
        self.entries: list[Entry] = []
        for given in data["difference"]:
            if set(given) != {"reason", "why", "tests"} or not given["tests"]:
                raise ValueError(f"an entry has reason, why and tests, not {sorted(given)}")
            if given["reason"] not in self.reasons:
                raise ValueError(f"{given['tests'][0]}: unknown reason {given['reason']!r}")
            if not given["why"].endswith("."):
                raise ValueError(f"{given['tests'][0]}: its 'why' is not a sentence")
            for prefix in given["tests"]:
                self.entries.append(Entry(prefix, given["reason"], given["why"]))
        self.by_prefix: dict[str, Entry] = {}
        for entry in self.entries:
            self.by_prefix.setdefault(entry.prefix, entry)
        self.check_overlap()

    def check_overlap(self) -> None:
        unused = set(self.reasons) - {entry.reason for entry in self.entries}
        if unused:
            raise ValueError(f"reasons that no entry has: {', '.join(sorted(unused))}")
        for entry in self.entries:
            over = self.entry_of(entry.prefix)
            if over is not entry:
                raise ValueError(f"{entry.prefix} is already covered by {over.prefix}")

    def entry_of(self, name: str) -> Entry | None:
        """The first of the list's prefixes from the left: one that is covered is refused."""
        end = 0
        while end >= 0:
            end = name.find(".", end + 1)
            found = self.by_prefix.get(name if end < 0 else name[:end])
            if found:
                return found
        return None


@dataclasses.dataclass
class Verdict:
    unlisted: list[Difference] = dataclasses.field(default_factory=list)
    # Entries of which nothing differs any more, or whose tests do not exist.
    stale: list[str] = dataclasses.field(default_factory=list)
    # Entries of which this host can say nothing.
    undecided: list[str] = dataclasses.field(default_factory=list)
    by_reason: collections.Counter = dataclasses.field(default_factory=collections.Counter)

    @property
    def is_good(self) -> bool:
        return not self.unlisted and not self.stale


def judge(known: List, pairs: list[tuple[ModuleRun, ModuleRun]], whole: bool,
          lacking: frozenset[str] = frozenset()) -> Verdict:
    """Holds the runs against the list; where not all modules ran, only the entries of those.

    `lacking` are protections that this host does not have: a reason of that name does not hold.
    """
    verdict = Verdict()
    for entry in known.entries:
        entry.tests = entry.differ = 0
    existing = collections.Counter()
    for outside, inside in pairs:
        found = differences_of(outside, inside)
        for name, outcome in outside.tests.items():
            entry = known.entry_of(name)
            if entry is None:
                if name in found:
                    verdict.unlisted.append(found[name])
                continue
            existing[entry.prefix] += 1
            entry.tests += outcome.word == "passed"
            entry.differ += name in found
            if name in found:
                verdict.by_reason[entry.reason] += 1
    ran = [outside.module for outside, _ in pairs]
    for entry in known.entries:
        if not whole and not any(covers(module, entry.prefix) for module in ran):
            continue
        passes_nowhere = existing[entry.prefix] and not entry.tests
        if passes_nowhere or entry.reason in lacking and not entry.differ:
            verdict.undecided.append(entry.prefix)
        elif not entry.differ:
            verdict.stale.append(entry.prefix)
    return verdict
