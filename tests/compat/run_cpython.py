#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""CPython's own test-suite, outside and inside the default profile, test by test.

  run_cpython.py [--results DIR] [--once] [--quick | MODULE...]
  run_cpython.py --results DIR --judge

Fails when a test that passes outside does not pass inside and cpython-3.11.toml has no reason for
it, or when that list names one that does pass. A difference counts when it shows twice (--once: at
once). --judge holds what an earlier run left in DIR against the list, and runs nothing. Needs
Debian's libpython3.11-testsuite; without it the exit code is 77 (skipped).
"""
import argparse
import collections
import concurrent.futures
import dataclasses
import json
import pathlib
import subprocess
import sys
import tempfile
import time

import places
from differences import List, ModuleRun, covers, differences_of, judge, read_run

HERE = pathlib.Path(__file__).resolve().parent
WORKER = HERE / "suite_worker.py"
LIST = HERE / "cpython-3.11.toml"
SKIPPED = 77
AT_ONCE = 2
COUNTED = ["passed in both", "differ", "skipped outside", "failed outside", "passed inside only"]
# A test-suite is larger than a program of a model: it is the protections that are measured here.
OPTIONS = ("--memory=2G", "--processes=256", "--work=1G", "--output=16M",
           # Else tests of .pyc files, of buffers and of a user's modules would be skipped.
           "--env=PYTHONDONTWRITEBYTECODE=", "--env=PYTHONUNBUFFERED=", "--env=PYTHONNOUSERSITE=")
# Seconds without a finished test outside, and for a module at one place.
HANG, LIMIT = 90, 900
# Inside a test may take so many seconds, or so many times the longest of its module outside.
PATIENCE, TIMES = 20, 5
# They take minutes; with them first, the end is not a wait for one.
SLOW = ["test_multiprocessing_spawn", "test_multiprocessing_forkserver", "test_concurrent_futures",
        "test_multiprocessing_fork", "test_tools", "test_signal", "test_subprocess"]
QUICK = [
    "test_subprocess", "test_threading", "test_fork1", "test_asyncio.test_locks",
    "test_asyncio.test_queues", "test_asyncio.test_runners", "test_asyncio.test_unix_events",
    "test_codecs", "test_csv", "test_ctypes", "test_datetime", "test_epoll", "test_fcntl",
    "test_fileio", "test_glob", "test_hashlib", "test_import", "test_json", "test_locale",
    "test_mmap", "test_os", "test_pathlib", "test_platform", "test_posix", "test_pty", "test_pwd",
    "test_resource", "test_select", "test_shutil", "test_tarfile", "test_tempfile", "test_time",
    "test_uuid", "test_zlib",
]


def all_modules(suite: pathlib.Path) -> list[str]:
    names = {path.stem for path in suite.glob("test_*")
             if path.suffix == ".py" or (path / "__init__.py").is_file()}
    names.discard("test_asyncio")
    names |= {f"test_asyncio.{path.stem}" for path in (suite / "test_asyncio").glob("test_*.py")}
    return [name for name in SLOW if name in names] + sorted(names - set(SLOW))


def patience_for(outside: ModuleRun) -> int:
    longest = max((outcome.seconds for outcome in outside.tests.values()), default=0)
    return int(min(max(PATIENCE, TIMES * longest), HANG))


def run_module(module: str, place, results: pathlib.Path, hang: int, suffix: str) -> ModuleRun:
    ran = place.run(WORKER, module, str(hang), str(LIMIT), seconds=LIMIT + 60)
    how = json.dumps({"place": {"trouble": ran.trouble, "denied": ran.denied}})
    # A program that was killed may leave half a line.
    whole = ran.stdout[:ran.stdout.rfind("\n") + 1]
    folder = results / place.name
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{module}{suffix}.jsonl").write_text(f"{whole}{how}\n")
    (folder / f"{module}{suffix}.log").write_text(ran.stderr)
    return read_run(module, f"{whole}{how}\n")


def better(first: ModuleRun, second: ModuleRun) -> ModuleRun:
    """What passes in one of two runs passes: the rest is load and luck."""
    passed = {name: outcome for name, outcome in first.tests.items() if outcome.word == "passed"}
    return dataclasses.replace(second, tests={**first.tests, **second.tests, **passed})


class Suite:
    def __init__(self, results: pathlib.Path, known: List, whole: bool):
        self.results, self.known, self.whole = results, known, whole
        self.lacking: frozenset[str] = frozenset()
        self.outside, self.inside = places.Outside(), places.Inside(options=OPTIONS)
        self.pairs: dict[str, tuple[ModuleRun, ModuleRun]] = {}
        self.unsteady: list[str] = []

    def run(self, modules: list[str]) -> None:
        with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
            waiting = {pool.submit(self.run_pair, module): module for module in modules}
            for done in concurrent.futures.as_completed(waiting):
                self.pairs[waiting[done]] = done.result()

    def read(self) -> None:
        """What an earlier run left; of a module that ran twice, both."""
        for path in sorted((self.results / "inside").glob("*.jsonl")):
            module = path.name.removesuffix(".jsonl")
            if not module.endswith(".again"):
                self.pairs[module] = (self.read_one("outside", module),
                                      self.read_one("inside", module))

    def read_one(self, place: str, module: str) -> ModuleRun:
        run = read_run(module, (self.results / place / f"{module}.jsonl").read_text())
        again = self.results / place / f"{module}.again.jsonl"
        return better(run, read_run(module, again.read_text())) if again.exists() else run

    def run_pair(self, module: str, suffix: str = "") -> tuple[ModuleRun, ModuleRun]:
        began = time.monotonic()
        outside = run_module(module, self.outside, self.results, HANG, suffix)
        inside = run_module(module, self.inside, self.results, patience_for(outside), suffix)
        pair = (outside, inside)
        print(f"{module}: {len(pair[0].tests)} tests, {len(differences_of(*pair))} differ, "
              f"{time.monotonic() - began:.0f} s", flush=True)
        return pair

    def verdict(self):
        return judge(self.known, list(self.pairs.values()), self.whole, self.lacking)

    def settle(self) -> None:
        """Modules that would fail the script run once more, alone."""
        verdict = self.verdict()
        doubtful = [difference.test for difference in verdict.unlisted] + verdict.stale
        for module in [m for m in self.pairs if any(covers(m, name) for name in doubtful)]:
            first = self.pairs[module]
            second = self.run_pair(module, ".again")
            seen = [set(differences_of(*pair)) for pair in (first, second)]
            self.unsteady += sorted(seen[0] ^ seen[1])
            self.pairs[module] = self.settled(first, second)

    def settled(self, first, second) -> tuple[ModuleRun, ModuleRun]:
        """Unlisted differences must show in both runs; for a listed one, one of them is enough."""
        outside, inside = better(first[0], second[0]), better(first[1], second[1])
        for run in (first[1], second[1]):
            for name, outcome in run.tests.items():
                if outcome.word != "passed" and self.known.entry_of(name):
                    inside.tests[name] = outcome
        return outside, inside


def counts_of(pairs) -> dict[str, int]:
    counts = collections.Counter()
    for outside, inside in pairs:
        for name, outcome in outside.tests.items():
            other = inside.tests.get(name)
            word = other.word if other else "missing"
            if outcome.word == "passed":
                counts["passed in both" if word == "passed" else "differ"] += 1
            elif outcome.word == "skipped":
                counts["passed inside only" if word == "passed" else "skipped outside"] += 1
            else:
                counts["passed inside only" if word == "passed" else "failed outside"] += 1
            counts["tests"] += 1
    return {name: counts[name] for name in ["tests", *COUNTED]}


def surroundings(known_image: str) -> dict:
    """What these figures are figures of."""
    version = subprocess.run([places.PYTHON, "-V"], capture_output=True, text=True, check=True)
    receipt = json.loads(subprocess.run(
        [places.find_command(), "exec", "--json", f"--image={known_image}", "--", "true"],
        stdin=subprocess.DEVNULL, capture_output=True, check=False).stdout)
    if receipt["error"]:
        raise SystemExit(f"nothing runs in a sandbox here: {receipt['error']['message']}")
    return {"python": version.stdout.strip(), "options": " ".join(OPTIONS),
            "enforced": receipt["enforced"]}


def report(suite: Suite, where: dict, began: float) -> dict:
    verdict = suite.verdict()
    pairs = [suite.pairs[module] for module in sorted(suite.pairs)]
    return {
        "surroundings": where,
        "seconds": round(time.monotonic() - began),
        "modules": len(pairs),
        "counts": counts_of(pairs),
        "by_reason": dict(sorted(verdict.by_reason.items())),
        "entries": [dataclasses.asdict(entry) for entry in suite.known.entries if entry.tests],
        "unlisted": [dataclasses.asdict(d) for d in verdict.unlisted],
        "stale": verdict.stale,
        "undecided": verdict.undecided,
        "unsteady": suite.unsteady,
        "incomplete": {f"{run.module}, {side}": run.trouble for pair in pairs
                       for side, run in zip(("outside", "inside"), pair) if run.trouble},
        "denied": {inside.module: inside.denied for _, inside in pairs if inside.denied},
    }


def table_of(summary: dict, reasons: dict[str, str]) -> str:
    """The figures of docs/compatibility.md."""
    counts = summary["counts"]
    lines = [f"{summary['surroundings']['python']}, {summary['modules']} modules, "
             f"{counts['tests']} tests.", "", "| | tests |", "| --- | --- |"]
    lines += [f"| {name} | {counts[name]} |" for name in COUNTED]
    lines += ["", "| reason | differ | |", "| --- | --- | --- |"]
    by_count = sorted(summary["by_reason"].items(), key=lambda pair: -pair[1])
    lines += [f"| {reason} | {count} | {reasons[reason]} |" for reason, count in by_count]
    return "\n".join(lines) + "\n"


def print_summary(summary: dict) -> None:
    for difference in summary["unlisted"]:
        why = difference["why"].strip().splitlines() or [""]
        print(f"UNLISTED {difference['test']}: {difference['word']}: {why[-1]}")
    for name in summary["stale"]:
        print(f"STALE {name}: listed, but nothing differs")
    for name in summary["undecided"]:
        print(f"undecided {name}: does not pass outside, or its reason does not hold on this host")
    for name in summary["unsteady"]:
        print(f"unsteady {name}: differed in one of two runs")
    for entry in summary["entries"]:
        if 0 < entry["differ"] < entry["tests"]:
            print(f"wide {entry['prefix']}: {entry['differ']} of {entry['tests']} tests differ")
    for run, trouble in summary["incomplete"].items():
        print(f"incomplete {run}: {trouble}")
    for reason, count in summary["by_reason"].items():
        print(f"{count:6} differ: {reason}")
    counts = ", ".join(f"{count} {name}" for name, count in summary["counts"].items())
    print(f"{summary['modules']} modules, {counts}; {summary['seconds']} s")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--results", type=pathlib.Path, help="a folder for what was seen")
    parser.add_argument("--once", action="store_true", help="no second run of what differs")
    parser.add_argument("--judge", action="store_true", help="runs nothing")
    parser.add_argument("--quick", action="store_true", help="some telling modules only")
    parser.add_argument("modules", nargs="*", metavar="MODULE")
    options = parser.parse_args()
    if options.judge and not options.results:
        parser.error("--judge needs the --results of an earlier run")

    suite = pathlib.Path("/usr/lib/python3.11/test")
    if not (suite / "test_os.py").is_file():
        print("skipped: needs the package libpython3.11-testsuite (scripts/packages.txt, compat)")
        return SKIPPED
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="sandbox-compat-") as scratch:
        results = options.results or pathlib.Path(scratch)
        results.mkdir(parents=True, exist_ok=True)
        runs = Suite(results, List(LIST), whole=not options.quick and not options.modules)
        where = surroundings(runs.inside.image)
        protections = where["enforced"]["protections"]
        runs.lacking = frozenset(name for name, state in protections.items()
                                 if state in ("off", "unavailable"))
        if options.judge:
            runs.read()
        else:
            runs.run(options.modules or (QUICK if options.quick else all_modules(suite)))
            if not options.once:
                runs.settle()
        summary = report(runs, where, began)
        (results / "summary.json").write_text(json.dumps(summary, indent=1) + "\n")
        (results / "table.md").write_text(table_of(summary, runs.known.reasons))
    print_summary(summary)
    return 0 if not summary["unlisted"] and not summary["stale"] else 1


if __name__ == "__main__":
    sys.exit(main())
