# Where a program of these tests runs: outside as an ordinary user, or inside through sandboxctl.
# SPDX-License-Identifier: MIT
import dataclasses
import json
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile

PYTHON = "/usr/bin/python3"
ROOT = pathlib.Path(__file__).resolve().parents[2]
NOBODY = 65534


def find_command() -> str:
    """$SANDBOXCTL, else the newest one below build/."""
    named = os.environ.get("SANDBOXCTL")
    if named:
        return named
    built = list(ROOT.glob("build/*/apps/sandboxctl/sandboxctl"))
    if not built:
        raise SystemExit("no sandboxctl below build/; build it, or set $SANDBOXCTL")
    return str(max(built, key=lambda path: path.stat().st_mtime))


@dataclasses.dataclass
class Ran:
    stdout: str
    stderr: str
    # How it ended, in words, when that was not by itself.
    trouble: str = ""
    receipt: dict = dataclasses.field(default_factory=dict)

    @property
    def denied(self) -> list:
        return self.receipt.get("denied") or []


def heed_signals() -> None:
    """What a shell starts in the background ignores these, and so would the program."""
    for number in (signal.SIGINT, signal.SIGQUIT, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)


class Outside:
    """Plain python3, with a clean environment and a folder of its own that is also its home."""
    name = "outside"

    def run(self, program: pathlib.Path, *arguments: str, seconds: int) -> Ran:
        folder = tempfile.mkdtemp(prefix="sandbox-compat-")
        identity = {}
        if os.geteuid() == 0:
            os.chown(folder, NOBODY, NOBODY)
            identity = {"user": NOBODY, "group": NOBODY, "extra_groups": []}
        try:
            copy = pathlib.Path(folder, program.name)
            shutil.copyfile(program, copy)
            copy.chmod(0o644)
            environment = {"PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": folder,
                           "TMPDIR": folder, "LANG": "C.UTF-8"}
            process = subprocess.Popen(
                [PYTHON, str(copy), *arguments], cwd=folder, env=environment,
                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                start_new_session=True, preexec_fn=heed_signals, **identity)
            return self.finish(process, seconds)
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    @staticmethod
    def finish(process: subprocess.Popen, seconds: int) -> Ran:
        trouble = ""
        try:
            out, err = process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            out, err = process.communicate()
            trouble = f"stopped after {seconds} s"
        else:
            if process.returncode != 0:
                trouble = f"exit code {process.returncode}"
        return Ran(out.decode("utf-8", "replace"), err.decode("utf-8", "replace"), trouble)


class Inside:
    """The default profile, with every protection as it comes."""
    name = "inside"

    def __init__(self, image: str = "host:" + PYTHON, options: tuple[str, ...] = ()):
        self.image, self.options = image, options

    def run(self, program: pathlib.Path, *arguments: str, seconds: int) -> Ran:
        line = [find_command(), "exec", "--json", "--quiet", f"--image={self.image}",
                f"--timeout={seconds}s", *self.options, f"--in={program}", "--", PYTHON,
                program.name, *arguments]
        call = subprocess.run(line, stdin=subprocess.DEVNULL, capture_output=True, check=False,
                              timeout=seconds + 60)
        try:
            receipt = json.loads(call.stdout)
        except ValueError:
            return Ran("", call.stderr.decode("utf-8", "replace"),
                       f"sandboxctl ended with {call.returncode} and no receipt")
        trouble = ""
        if receipt["error"]:
            trouble = receipt["error"]["message"]
        elif receipt["outcome"] != "exited" or receipt["exit_code"] != 0:
            trouble = (f"{receipt['outcome']}, exit code {receipt['exit_code']}, "
                       f"signal {receipt['signal']}")
        return Ran(receipt["stdout"] or "", receipt["stderr"] or "", trouble, receipt)
