#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The workloads, each in a sandbox of its own with the default profile and limits.

  run_packages.py --image REF [--write] [WORKLOAD...]

REF is what `sandboxctl run --image` takes: data, dir:/path, host. Each program checks its own
results and prints one line, which must be the one of workloads/expected.txt (--write keeps it
there). No call may have been refused but those that a workload makes on purpose.
"""
import argparse
import dataclasses
import pathlib
import sys
import time

import places

FOLDER = pathlib.Path(__file__).resolve().parent / "workloads"
EXPECTED = FOLDER / "expected.txt"
SECONDS = 120
# What a workload tries in order to see it refused.
REFUSED = {"standard_library": {"socket"}, "lxml_documents": {"socket"}}


@dataclasses.dataclass
class Seen:
    name: str
    line: str
    denied: dict[str, int]
    seconds: float
    memory: int
    problem: str


def read_expected() -> dict[str, str]:
    """Lines 'name: what it prints'."""
    if not EXPECTED.exists():
        return {}
    pairs = (line.split(": ", 1) for line in EXPECTED.read_text().splitlines())
    return dict(pairs)


def run_one(path: pathlib.Path, inside: places.Inside, expected: str | None) -> Seen:
    began = time.monotonic()
    ran = inside.run(path, seconds=SECONDS)
    seconds = time.monotonic() - began
    line = "" if ran.trouble else ran.stdout.rstrip("\n")
    denied = {call["call"]: call["count"] for call in ran.denied}
    unexpected = set(denied) - REFUSED.get(path.stem, set())
    if ran.trouble:
        last = ran.stderr.strip().splitlines()[-1:] or [""]
        problem = f"{ran.trouble}: {last[0]}"
    elif "\n" in line or not line:
        problem = f"it prints one line, not {line!r}"
    elif expected is not None and line != expected:
        problem = f"it printed {line!r}, not {expected!r}"
    elif unexpected:
        problem = f"refused calls: {', '.join(sorted(unexpected))}"
    else:
        problem = ""
    memory = (ran.receipt.get("usage") or {}).get("memory_peak_bytes") or 0
    return Seen(path.stem, line, denied, seconds, memory, problem)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--image", required=True)
    parser.add_argument("--write", action="store_true", help="what is printed becomes expected")
    parser.add_argument("workloads", nargs="*", metavar="WORKLOAD")
    options = parser.parse_args()

    inside = places.Inside(options.image)
    expected = {} if options.write else read_expected()
    paths = [path for path in sorted(FOLDER.glob("*.py"))
             if not options.workloads or path.stem in options.workloads]
    if not paths:
        raise SystemExit(f"no such workload in {FOLDER}")
    failed = 0
    lines = read_expected()
    for path in paths:
        # A workload without an expected line is one that nobody has looked at.
        given = expected.get(path.stem, None if options.write else "")
        seen = run_one(path, inside, given)
        refused = ", ".join(f"{call} {count}" for call, count in seen.denied.items()) or "nothing"
        print(f"{'FAILED' if seen.problem else 'ok':6} {seen.name:20} {seen.seconds:5.1f} s "
              f"{seen.memory >> 20:4} MiB  refused: {refused}", flush=True)
        if seen.problem:
            failed += 1
            print(f"       {seen.problem}")
        if seen.line:
            lines[seen.name] = seen.line
    if options.write:
        EXPECTED.write_text("".join(f"{name}: {lines[name]}\n" for name in sorted(lines)))
    print(f"{len(paths) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
