# Runs one module of CPython's test-suite and prints a JSON object a line for each test in it.
#   suite_worker.py MODULE HANG_SECONDS LIMIT_SECONDS
# SPDX-License-Identifier: MIT
"""The same program outside and inside. It starts itself once more as the process that runs the
tests, in a folder of its own: where that one dies or hangs, the test it was at is blamed, and
another goes on after it. What the tests print goes to stderr.

Lines: {"test": id, "outcome": word, "why": text, "seconds": n}, where the word is passed, skipped,
failed, error, died or hung; {"fixture": id, ...} for what goes wrong around tests (a module that
cannot be imported, setUpClass); the last is {"end": "complete"}, or says why it is not.
"""
import collections
import functools
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

MAX_STARTS = 40
# So many of a class that hang, and the rest of it is not tried: they wait for the same thing.
MAX_HUNG = 4
# Of those that cost nothing but time. Not network: no test may ask the world.
RESOURCES = ["subprocess", "decimal", "curses", "walltime"]


# The process that runs the tests.

class Log:
    """Opened anew for each line: tests close and replace descriptors, and fork."""

    def __init__(self, path):
        self.path, self.pid = path, os.getpid()
        self.open, self.write, self.close = os.open, os.write, os.close

    def add(self, **line):
        if os.getpid() != self.pid:
            return
        data = json.dumps(line).encode() + b"\n"
        descriptor = self.open(self.path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        self.write(descriptor, data)
        self.close(descriptor)


def make_result_class(log, clock):
    import traceback
    import unittest

    def last_lines(error):
        text = "".join(traceback.format_exception(*error))
        return text[-1500:].encode("ascii", "backslashreplace").decode()

    class Result(unittest.TestResult):
        """Tells a test's worst outcome when it stops: its subtests count."""
        RANK = ["passed", "skipped", "failed", "error"]

        def startTest(self, test):
            super().startTest(test)
            self.now, self.seen, self.why, self.began = test.id(), [], "", clock()
            log.add(start=self.now)

        def stopTest(self, test):
            super().stopTest(test)
            outcome = max(self.seen, key=self.RANK.index, default="skipped")
            log.add(test=self.now, outcome=outcome, why=self.why,
                    seconds=round(clock() - self.began, 2))
            self.now = None

        def note(self, test, outcome, why=""):
            if getattr(self, "now", None) is None:
                log.add(fixture=test.id(), outcome=outcome, why=why)
                return
            if not self.seen or self.RANK.index(outcome) > max(map(self.RANK.index, self.seen)):
                self.why = why
            self.seen.append(outcome)

        def addSuccess(self, test):
            self.note(test, "passed")

        def addSkip(self, test, reason):
            super().addSkip(test, reason)
            self.note(test, "skipped", str(reason))

        def addFailure(self, test, err):
            super().addFailure(test, err)
            self.note(test, "failed", last_lines(err))

        def addError(self, test, err):
            super().addError(test, err)
            self.note(test, "error", last_lines(err))

        def addExpectedFailure(self, test, err):
            self.note(test, "passed")

        def addUnexpectedSuccess(self, test):
            super().addUnexpectedSuccess(test)
            self.note(test, "failed", "unexpected success")

        def addSubTest(self, test, subtest, err):
            super().addSubTest(test, subtest, err)
            if err is not None:
                is_failure = issubclass(err[0], test.failureException)
                self.note(test, "failed" if is_failure else "error", last_lines(err))

    return Result


def class_of(identity):
    return identity.rpartition(".")[0]


def without_done(suite, done):
    """The tests of a suite but those, with its shape: class fixtures depend on it."""
    kept = []
    for test in suite:
        if hasattr(test, "__iter__"):
            kept.append(without_done(test, done))
        elif test.id() not in done and class_of(test.id()) not in done:
            kept.append(test)
    return type(suite)(kept)


def run_tests(module, log, done):
    """As CPython's own runner does it: test_main where there is one, else what the loader finds."""
    import faulthandler
    import importlib
    import unittest
    from test import support

    faulthandler.enable(all_threads=True, file=sys.__stderr__.fileno())
    support.use_resources = RESOURCES
    support.verbose = False
    # The tests move and mock the clock.
    result_class = make_result_class(log, time.perf_counter)

    def run_suite(suite):
        result = result_class()
        without_done(suite, done).run(result)

    def run_doctest(tested, verbosity=None, optionflags=0):
        import doctest
        name = f"test.{module}.doctest of {tested.__name__}"
        if name not in done:
            log.add(start=name)
            failed, _ = doctest.testmod(tested, verbose=False, optionflags=optionflags)
            log.add(test=name, outcome="failed" if failed else "passed", why="", seconds=0)
        return 0, 1

    support._run_suite = run_suite
    support.run_doctest = run_doctest
    try:
        tested = importlib.import_module("test." + module)
        main = getattr(tested, "test_main", None)
        if main is None:
            loader = unittest.TestLoader()
            tests = loader.loadTestsFromModule(tested)
            for text in loader.errors:
                log.add(fixture=module, outcome="error", why=text[-1500:])
            main = functools.partial(support.run_unittest, tests)
        main()
    except unittest.SkipTest as reason:
        log.add(fixture=module, outcome="skipped", why=str(reason))
    except Exception as error:
        import traceback
        log.add(fixture=module, outcome="error", why=traceback.format_exc()[-1500:])
        print(error, file=sys.stderr)
    support.gc_collect()
    support.reap_children()


def run_as_child(module, log_path, done_path):
    # As with `python3 -m test`: what lies beside this file is no module of the tests.
    del sys.path[0]
    log = Log(log_path)
    with open(done_path, encoding="utf-8") as file:
        done = set(json.load(file))
    run_tests(module, log, done)
    log.add(end="complete")
    sys.stdout.flush()


# The process that watches it.

class Watched:
    """One start of the test process, and the lines that it has written so far."""

    def __init__(self, module, folder, done):
        self.log, self.offset, self.running, self.ended = folder / "log", 0, None, False
        self.log.write_bytes(b"")
        (folder / "done").write_text(json.dumps(sorted(done)))
        cwd = folder / "cwd"
        cwd.mkdir()
        self.process = subprocess.Popen(
            [sys.executable, __file__, "--child", module, str(self.log), str(folder / "done")],
            cwd=cwd, stdin=subprocess.DEVNULL, stdout=sys.stderr, start_new_session=True)

    def pass_on(self, done):
        """Prints new lines; true when there were some."""
        with open(self.log, "rb") as file:
            file.seek(self.offset)
            new = file.read()
        new = new[:new.rfind(b"\n") + 1]
        self.offset += len(new)
        for text in new.splitlines():
            line = json.loads(text)
            if "start" in line:
                self.running = line["start"]
                continue
            if "end" in line:
                self.ended = True
                continue
            if "test" in line:
                self.running = None
                done.add(line["test"])
            print(json.dumps(line), flush=True)
        return bool(new)

    def wait(self, done, hang, deadline):
        """How it ended: 'complete', 'died: ...', 'hung', or 'out of time'."""
        last = time.monotonic()
        while True:
            over = self.process.poll() is not None
            now = time.monotonic()
            if self.pass_on(done):
                last = now
            if over:
                break
            if now > deadline or now - last > hang:
                self.stop()
                self.pass_on(done)
                return "out of time" if now > deadline else "hung"
            time.sleep(0.05)
        self.kill_group()
        return "complete" if self.ended else f"died: exit code {self.process.returncode}"

    def stop(self):
        self.process.send_signal(signal.SIGABRT)  # faulthandler prints where it is
        try:
            self.process.wait(3)
        except subprocess.TimeoutExpired:
            pass
        self.kill_group()
        self.process.wait()

    def kill_group(self):
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):
            pass


def watch(module, hang, limit):
    deadline = time.monotonic() + limit
    done = set()
    hung = collections.Counter()
    end = ""
    for _ in range(MAX_STARTS):
        with tempfile.TemporaryDirectory(prefix="suite-", dir=pathlib.Path(__file__).parent,
                                         ignore_cleanup_errors=True) as folder:
            watched = Watched(module, pathlib.Path(folder), done)
            # What hangs once hangs for a cause that others share.
            end = watched.wait(done, hang / 3 if hung else hang, deadline)
        blamed = watched.running
        if end in ("complete", "out of time") or blamed is None:
            break
        # It is done with; the next start takes what is left.
        done.add(blamed)
        word = "hung" if end == "hung" else "died"
        print(json.dumps({"test": blamed, "outcome": word, "why": end, "seconds": 0}), flush=True)
        if word == "hung":
            hung[class_of(blamed)] += 1
        if hung[class_of(blamed)] >= MAX_HUNG:
            done.add(class_of(blamed))
            print(json.dumps({"fixture": class_of(blamed), "outcome": "hung",
                              "why": f"as {MAX_HUNG} of its class did"}), flush=True)
    print(json.dumps({"end": end}), flush=True)


if __name__ == "__main__":
    if sys.argv[1] == "--child":
        run_as_child(*sys.argv[2:])
    else:
        watch(sys.argv[1], float(sys.argv[2]), float(sys.argv[3]))
