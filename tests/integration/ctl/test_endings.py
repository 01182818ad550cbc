# How a call ends: exit codes, the line that says which, the receipt.
# SPDX-License-Identifier: MIT
import base64
import os
import signal
import subprocess
import unittest

from ctl import COMMAND, CtlTest, processes_with, wait_until

SLEEPER = "import sys, subprocess\nprint('up', flush=True)\nsubprocess.run(['sleep', '{token}'])\n"


class Endings(CtlTest):
    def test_the_exit_code_is_the_programs(self):
        call = self.run_program("print(6 * 7)")
        self.assertEqual((call.returncode, call.stdout, call.stderr), (0, b"42\n", b""))
        call = self.run_program("import sys\nprint('e', file=sys.stderr)\nsys.exit(7)")
        self.assertEqual((call.returncode, call.stdout, call.stderr), (7, b"", b"e\n"))

    def test_a_timeout_is_124(self):
        call = self.run_program("print('before', flush=True)\nwhile True: pass", "--timeout=700ms")
        self.assertEqual((call.returncode, call.stdout), (124, b"before\n"))
        self.assert_one_line(call, "700 ms", "wall time")

    def test_a_signal_is_128_and_its_number(self):
        call = self.run_program("import os, signal\nos.kill(os.getpid(), signal.SIGSEGV)")
        self.assertEqual(call.returncode, 139)
        self.assert_one_line(call, "SIGSEGV")

    def test_a_cpu_limit_is_137(self):
        call = self.run_program("while True: pass", "--cpu-time=1s", "--timeout=60s")
        self.assertEqual(call.returncode, 137)
        *before, last = call.stderr.splitlines()
        self.assertIn(b"cpu time", last)
        # Where no cgroup counts it, that is told first, and nothing else is.
        self.assertEqual([b"watched from time to time" in line for line in before],
                         [True] * (not self.has_cgroup()))

    def has_cgroup(self):
        _, receipt = self.run_json("pass")
        return receipt["enforced"]["memory"] == "cgroup"

    def test_how_a_limit_is_held_is_told_to_who_asks_for_one(self):
        for option, is_told in (("--memory=512M", not self.has_cgroup()), ("--timeout=9s", False)):
            with self.subTest(option=option):
                call = self.run_program("pass", option)
                self.assertEqual(b"watched from time to time" in call.stderr, is_told)

    def test_a_missing_command_is_127(self):
        call = self.call("exec", "--", "no-such-command-here")
        self.assertEqual(call.returncode, 127)
        self.assertIn(b"no-such-command-here", call.stderr)

    def test_quiet_leaves_out_remarks(self):
        call = self.run_program("while True: pass", "--timeout=300ms", "--quiet")
        self.assertEqual((call.returncode, call.stderr), (124, b""))

    def test_verbose_tells_what_is_done(self):
        call = self.run_program("pass", "--verbose")
        self.assertEqual(call.returncode, 0)
        self.assertIn(b"sandboxctl: info: ", call.stderr)

    def test_cut_output_is_told(self):
        call = self.run_program("print('x' * 5000)", "--output=1K")
        self.assertEqual((call.returncode, call.stdout), (0, b"x" * 1024))
        self.assert_one_line(call, "stdout was cut", "5001")

    def test_output_bytes_are_untouched(self):
        raw = bytes(range(256)) * 40
        call = self.call("exec", "--stdin=" + self.file("raw", raw), "--", "cat")
        self.assertEqual((call.returncode, call.stdout), (0, raw))


class Receipts(CtlTest):
    def test_an_exit(self):
        source = "import sys\nprint('o')\nprint('e', file=sys.stderr)\nsys.exit(3)"
        call, receipt = self.run_json(source)
        self.assertEqual((call.returncode, call.stderr), (3, b""))
        self.assertEqual(receipt["outcome"], "exited")
        self.assertEqual((receipt["exit_code"], receipt["signal"]), (3, None))
        self.assertEqual((receipt["stdout"], receipt["stderr"]), ("o\n", "e\n"))
        self.assertEqual((receipt["stdout_bytes"], receipt["stdout_truncated"]), (2, False))
        self.assertEqual(receipt["enforced"]["profile"], "default")
        self.assertGreater(receipt["usage"]["wall_us"], 0)
        self.assertIsNone(receipt["error"])

    def test_bytes_that_are_no_text(self):
        raw = b"\xff\x00\x9b"
        _, receipt = self.run_json(f"import sys\nsys.stdout.buffer.write({raw!r})")
        self.assertEqual(base64.b64decode(receipt["stdout_base64"]), raw)

    def test_no_control_character_stands_bare(self):
        call, receipt = self.run_json("print('\\x1b]52;c;aGk=\\x07\\x7f\\x9b31m')")
        self.assertEqual(receipt["stdout"], "\x1b]52;c;aGk=\x07\x7f\x9b31m\n")
        controls = [c for c in call.stdout.decode()[:-1] if ord(c) < 32 or 127 <= ord(c) < 160]
        self.assertEqual(controls, [])

    def test_a_timeout(self):
        call, receipt = self.run_json("while True: pass", "--timeout=300ms")
        self.assertEqual(call.returncode, 124)
        self.assertEqual((receipt["outcome"], receipt["exit_code"]), ("timeout", None))

    def test_refusals_and_wrong_command_lines(self):
        program = self.file("p.py", "print(1)")
        for arguments, part in (
            (["--memory=12Q"], "--memory '12Q'"),
            (["--memory=17179869184G"], "too large"),
            (["--memory=-1M"], "more than zero"),
            (["--bogus"], "--bogus"),
            (["--profile=nope"], "nope"),
            (["--image=dir:/nonexistent"], "/nonexistent"),
            (["--in=/nonexistent"], "/nonexistent"),
            (["--workdir=/work/none"], "/work/none"),
        ):
            with self.subTest(arguments=arguments):
                call = self.call("run", "--json", *arguments, program)
                receipt = self.receipt(call)
                self.assertEqual((call.returncode, receipt["outcome"]), (125, "refused"))
                self.assertIn(part, receipt["error"]["message"])
                self.assertIsNone(receipt["stdout"])
                plain = self.call("run", *arguments, program)
                self.assertEqual((plain.returncode, plain.stdout), (125, b""))
                self.assert_one_line(plain, part)


class Stops(CtlTest):
    def start(self, *options, token):
        program = self.file("sleeper.py", SLEEPER.format(token=token))
        process = subprocess.Popen([COMMAND, "run", *options, program], stdin=subprocess.DEVNULL,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.addCleanup(process.kill)
        self.assertTrue(wait_until(lambda: processes_with(token)), "the program never came up")
        return process

    def test_signals_end_the_program_too(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            with self.subTest(signal=number):
                token = f"87.{os.getpid()}{int(number)}"
                process = self.start(token=token)
                process.send_signal(number)
                out, err = process.communicate(timeout=20)
                self.assertEqual(process.returncode, 128 + number)
                self.assertEqual(processes_with(token), [])
                self.assertEqual(out, b"up\n")
                self.assertEqual(err.decode(), f"sandboxctl: stopped by {number.name}\n")

    def test_a_stopped_call_has_a_receipt(self):
        token = f"86.{os.getpid()}"
        process = self.start("--json", token=token)
        process.send_signal(signal.SIGTERM)
        out, err = process.communicate(timeout=20)
        receipt = self.receipt(subprocess.CompletedProcess([], 0, out, err))
        self.assertEqual((process.returncode, receipt["outcome"]), (143, "cancelled"))
        self.assertEqual(receipt["error"]["code"], "cancelled")

    def test_a_killed_command_takes_the_program_with_it(self):
        token = f"85.{os.getpid()}"
        process = self.start(token=token)
        process.kill()
        process.communicate(timeout=20)
        self.assertTrue(wait_until(lambda: not processes_with(token), 5))

    def test_a_closed_output_stops_the_run(self):
        program = self.file("flood.py", "while True: print('line')")
        process = subprocess.Popen([COMMAND, "run", "--timeout=60s", program],
                                   stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE)
        process.stdout.read(10)
        process.stdout.close()
        err = process.stderr.read()
        process.stderr.close()
        self.assertEqual(process.wait(timeout=20), 141)
        self.assertIn(b"nobody reads", err)

    def test_a_reader_that_waits_does_not_stop_the_clock(self):
        program = self.file("flood.py", "while True: print('line')")
        process = subprocess.Popen([COMMAND, "run", "--timeout=60s", program],
                                   stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE)
        self.assertEqual(process.stdout.read(4), b"line")  # and nothing more
        process.terminate()
        self.assertEqual(process.wait(timeout=20), 143)
        process.communicate()


if __name__ == "__main__":
    unittest.main()
