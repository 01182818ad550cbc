#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""One case request through sandboxctl.

  adapter.py REQUEST.json        prints one RESULT object, exit code 0

The command is $SANDBOXCTL, else the newest build/*/apps/sandboxctl/sandboxctl of this project;
the image of a case that names no interpreter is $SANDBOX_CASES_IMAGE, else host.
"""
import base64
import json
import os
import pathlib
import signal
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]

# limits of a request -> option, unit of its plain numbers
LIMITS = {
    "wall_s": ("--timeout", "s"),
    "cpu_s": ("--cpu-time", "s"),
    "memory_mb": ("--memory", "M"),
    "pids": ("--processes", ""),
    "output_bytes": ("--output", ""),
    "work_mb": ("--work", "M"),
    "fsize_mb": ("--file-size", "M"),
}
OUTCOMES = {
    "exited": "exited",
    "signaled": "killed",
    "timeout": "timeout",
    "cpu_limit": "timeout",  # its time was over, though counted otherwise
    "memory_limit": "oom",
    "output_limit": "output_limit",
    "cancelled": "killed",
    "refused": "refused",
    "lost": "refused",
}


def find_command():
    named = os.environ.get("SANDBOXCTL")
    if named:
        return named
    built = list(ROOT.glob("build/*/apps/sandboxctl/sandboxctl"))
    if not built:
        raise FileNotFoundError("no sandboxctl below build/; build it, or set $SANDBOXCTL")
    return str(max(built, key=lambda path: path.stat().st_mtime))


def limit_text(name, value):
    """As an operator would type it. A text is the operator's own; '-1M' stays what it is."""
    if isinstance(value, str):
        return value
    unit = LIMITS[name][1]
    if float(value).is_integer():
        return f"{int(value)}{unit}"
    return str(int(value * (1 << 20))) if unit == "M" else f"{value}{unit}"


def limit_options(limits):
    # '=' keeps a negative number from looking like an option.
    return [f"{LIMITS[name][0]}={limit_text(name, value)}" for name, value in limits.items()]


def command_line(request):
    line = [find_command(), "run", "--json", *limit_options(request.get("limits") or {})]
    # As a host whose users bring compilers that write their code in memory (case 40).
    line += ["--without", "write_xor_execute"]
    if request.get("profile"):
        line.append(f"--profile={request['profile']}")
    if request.get("python"):
        line.append(f"--image=host:{request['python']}")
    elif os.environ.get("SANDBOX_CASES_IMAGE"):
        line.append(f"--image={os.environ['SANDBOX_CASES_IMAGE']}")
    if request.get("stdin_file"):
        line.append(f"--stdin={request['stdin_file']}")
    for given in request.get("inputs") or []:
        line.append(f"--in={given['path']}:{given['name']}")
    if request.get("artifacts_dir"):
        # A case may run several times into one directory.
        line += [f"--out={request['artifacts_dir']}", "--force"]
    return line + ["--", request["program"]]


def stream(receipt, name):
    """A stream as base64 of what was kept, or of the text that says where it was cut."""
    exact = receipt.get(name + "_base64")
    if exact is not None and not receipt.get(name + "_truncated"):
        return exact
    return base64.b64encode((receipt.get(name) or "").encode()).decode()


def result_of(receipt, code, wall):
    error = receipt.get("error")
    return {
        "outcome": OUTCOMES[receipt["outcome"]],
        "exit": code,
        "signal": receipt["signal"],
        "stdout_b64": stream(receipt, "stdout"),
        "stderr_b64": stream(receipt, "stderr"),
        "stdout_truncated": bool(receipt["stdout_truncated"]),
        "stderr_truncated": bool(receipt["stderr_truncated"]),
        "wall_s": wall,
        "artifacts": [
            {"name": f["name"], "size": f["bytes"], "sha256": f["sha256"]} for f in receipt["files"]
        ],
        "error": error["message"] if error else None,
        "enforced": {"memory": (receipt["enforced"] or {}).get("memory") or "none"},
    }


def refused(text):
    return {"outcome": "refused", "exit": None, "signal": None, "stdout_b64": "", "stderr_b64": "",
            "stdout_truncated": False, "wall_s": 0.0, "artifacts": [], "error": text,
            "enforced": {"memory": "none"}}


FORWARDED = [signal.SIGTERM, signal.SIGINT, signal.SIGHUP]


def run(line):
    """(stdout, stderr, exit code) of the command; signals to us go on to it."""
    # We need the exit code; the command starts with what our caller set.
    for_child = signal.signal(signal.SIGCHLD, signal.SIG_DFL)

    def set_signals_as_given():
        signal.signal(signal.SIGCHLD, for_child)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, FORWARDED)

    # Blocked until there is a process to forward to.
    signal.pthread_sigmask(signal.SIG_BLOCK, FORWARDED)
    process = subprocess.Popen(line, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, close_fds=False,
                               preexec_fn=set_signals_as_given)
    for number in FORWARDED:
        signal.signal(number, lambda received, _: process.send_signal(received))
    signal.pthread_sigmask(signal.SIG_UNBLOCK, FORWARDED)
    out, err = process.communicate()
    return out, err, process.returncode


def answer(request):
    started = time.monotonic()
    try:
        line = command_line(request)
        out, err, code = run(line)
    except ValueError as error:
        # No argument of a command can hold a NUL byte.
        return refused(f"cannot be said on a command line: {error}")
    wall = time.monotonic() - started
    try:
        receipt = json.loads(out.decode("utf-8"))
    except ValueError as error:
        raise SystemExit(f"sandboxctl ended with {code} and no receipt ({error}): {err.decode()}")
    return result_of(receipt, code, wall)


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        request = json.load(file)
    print(json.dumps(answer(request), allow_nan=False))


if __name__ == "__main__":
    main()
