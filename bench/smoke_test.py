# The harness works: sane JSON, sane tables, and a wrong answer is a failure. Never: how fast it is.
#   smoke_test.py SANDBOX_BENCH [--sandboxctl PATH]
# SPDX-License-Identifier: MIT
import json
import subprocess
import sys


def check(condition, what):
    if not condition:
        sys.exit(f"bench.smoke: {what}")


def bench(*arguments):
    return subprocess.run(arguments, capture_output=True, text=True)


def check_workload(workload, names):
    where = workload["name"]
    check([c["name"] for c in workload["contestants"]] == names, f"{where}: not {names}")
    check(workload["rounds"] == 20, f"{where}: {workload['rounds']} rounds")
    check(0 <= workload["disturbed"] <= 20, f"{where}: disturbed {workload['disturbed']}")
    check(0 <= workload["thrown_away"] <= 20, f"{where}: thrown away {workload['thrown_away']}")
    for one in workload["contestants"]:
        order = [0] + [one[key] for key in ("min_us", "p50_us", "p95_us", "p99_us")]
        check(order == sorted(order) and order[1] > 0, f"{where}: {one}")
    ratios = workload["ratios"]
    median = {one["name"]: one["p50_us"] for one in workload["contestants"]}
    expected = {"ours_to_bare": ("ours", "bare"), "ours_to_bubblewrap": ("ours", "bubblewrap")}
    for key, (above, below) in expected.items():
        if below in median:
            check(abs(ratios[key] - median[above] / median[below]) < 1e-9, f"{where}: {key}")
        else:
            check(ratios[key] is None, f"{where}: {key} of a contestant that did not run")


def check_report(text, with_sandboxctl):
    report = json.loads(text)
    machine = report["machine"]
    check(machine["kernel"] and machine["processors"] > 0 and machine["uid"] >= 0, machine)
    skipped = {one["name"] for one in report["skipped"]}
    check(all(one["reason"] for one in report["skipped"]), "skipped without a reason")
    check(("sandboxctl" in skipped) != with_sandboxctl, f"skipped: {skipped}")
    names = [n for n in ("bare", "ours", "bubblewrap", "sandboxctl") if n not in skipped]
    check(names[:2] == ["bare", "ours"], f"contestants: {names}")
    check([w["name"] for w in report["workloads"]] == ["true", "python"], "workloads")
    for workload in report["workloads"]:
        check_workload(workload, names)


def main():
    program, sandboxctl = sys.argv[1], sys.argv[2:]

    run = bench(program, "--quick", "--json", *sandboxctl)
    check(run.returncode == 0, f"exit code {run.returncode}: {run.stderr}")
    check_report(run.stdout, bool(sandboxctl))

    run = bench(program, "--rounds", "1", "--workload", "true")
    check(run.returncode == 0, f"exit code {run.returncode}: {run.stderr}")
    for word in ("machine: ", "uid ", "bare ", "ours ", "ours / bare", "p99", "1 rounds"):
        check(word in run.stdout, f"no '{word}' in: {run.stdout}")
    check("python" not in run.stdout, "a workload that was not asked for")

    # It ends well at once, but prints something else.
    run = bench(program, "--rounds", "1", "--json", "--sandboxctl", "/bin/echo")
    check(run.returncode == 1, f"a wrong answer counted as a run: {run.stdout}")
    check(run.stdout == "" and "sandboxctl answered" in run.stderr, run.stderr)

    run = bench(program, "--rounds", "0")
    check(run.returncode not in (0, 1), f"no rounds at all: exit code {run.returncode}")


main()
