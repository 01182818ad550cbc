# Callers that leave a process in an odd state.
# SPDX-License-Identifier: MIT
import os
import pty
import signal
import subprocess
import unittest

from ctl import COMMAND, CtlTest, processes_with, wait_until


class Surroundings(CtlTest):
    def test_closed_standard_descriptors(self):
        program = self.file("p.py", "print('seen')")
        for closing, out in (("<&-", b"seen\n"), (">&-", b""), ("2>&-", b"seen\n"),
                             ("<&- >&- 2>&-", b"")):
            with self.subTest(closing=closing):
                script = f'exec "$0" run "$1" {closing}'
                call = subprocess.run(["sh", "-c", script, COMMAND, program],
                                      capture_output=True, timeout=60, check=False)
                self.assertEqual((call.returncode, call.stdout, call.stderr), (0, out, b""))

    def test_ignored_sigchld(self):
        call = self.run_program(
            "import subprocess, sys\nsys.exit(subprocess.run(['sh', '-c', 'exit 6']).returncode)",
            preexec_fn=lambda: signal.signal(signal.SIGCHLD, signal.SIG_IGN))
        self.assertEqual((call.returncode, call.stderr), (6, b""))

    def test_inherited_descriptors_stay_outside(self):
        source = ("import os\nfor n in range(3, 300):\n  try: os.fstat(n); print(n)\n"
                  "  except OSError: pass")
        reader, writer = os.pipe()
        self.addCleanup(os.close, reader)
        self.addCleanup(os.close, writer)
        os.set_inheritable(writer, True)
        call = self.run_program(source, close_fds=False)
        self.assertEqual((call.returncode, call.stdout, call.stderr), (0, b"", b""))

    def test_a_missing_temporary_directory_and_an_empty_environment(self):
        call = self.run_program("print(1)", env={"TMPDIR": "/nonexistent/here", "PATH": "/usr/bin"})
        self.assertEqual((call.returncode, call.stdout), (0, b"1\n"))

    def test_a_full_disk_for_the_output_is_our_failure(self):
        program = self.file("p.py", "print('x')")
        for options in ([], ["--json"]):
            with open("/dev/full", "wb") as full:
                call = subprocess.run([COMMAND, "run", *options, program], stdout=full,
                                      stderr=subprocess.PIPE, timeout=60, check=False)
            self.assertEqual(call.returncode, 125)
            self.assertIn(b"No space left", call.stderr)

    def test_what_the_host_mounts_later_does_not_reach_in(self):
        # As on most hosts, all mounts are shared: a copy would hear of the host's new mounts.
        become = ["unshare", "--mount", "--propagation", "shared"]
        if os.geteuid() != 0:
            become = ["unshare", "--map-root-user", *become[1:]]
        program = self.file("p.py", "print(open('/proc/self/mountinfo').read())")
        call = subprocess.run([*become, COMMAND, "run", program], capture_output=True, timeout=60,
                              check=False)
        self.assertEqual(call.returncode, 0, call.stderr)
        self.assertIn(b" /usr/lib ", call.stdout)
        for word in (b"shared:", b"master:", b"propagate_from:"):
            self.assertNotIn(word, call.stdout)

    def test_an_ignored_signal_stays_ignored(self):
        token = f"3.{os.getpid()}1"
        program = self.file("p.py", f"import subprocess\nsubprocess.run(['sleep', '{token}'])")
        process = subprocess.Popen([COMMAND, "run", program], stdout=subprocess.PIPE,
                                   preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
        self.assertTrue(wait_until(lambda: processes_with(token)))
        process.send_signal(signal.SIGHUP)
        process.communicate(timeout=30)
        self.assertEqual(process.returncode, 0)


class Terminals(CtlTest):
    def on_a_terminal(self, source, *options):
        program = self.file("p.py", source)
        ours, theirs = pty.openpty()
        process = subprocess.Popen([COMMAND, "run", *options, program], stdin=theirs, stdout=theirs,
                                   stderr=theirs)
        os.close(theirs)
        seen = b""
        try:
            while chunk := os.read(ours, 4096):
                seen += chunk
        except OSError:  # EIO: the other end is closed
            pass
        os.close(ours)
        process.wait(timeout=60)
        return seen

    def test_control_characters_cannot_drive_it(self):
        source = ("import sys\nprint('\\x1b]52;c;aGk=\\x07caf\\xe9\\x9b2J')\n"
                  "print('\\x1b[2J', file=sys.stderr)")
        seen = self.on_a_terminal(source)
        self.assertNotIn(b"\x1b", seen)
        self.assertNotIn("\x9b".encode(), seen)
        self.assertIn("\\x1b]52;c;aGk=\\x07café\\x9b2J".encode(), seen)

    def test_raw_lets_them_through(self):
        self.assertIn(b"\x1b[1mbold", self.on_a_terminal("print('\\x1b[1mbold')", "--raw"))

    def test_the_program_gets_no_terminal(self):
        source = "import os\nprint([os.isatty(n) for n in (0, 1, 2)])"
        self.assertIn(b"[False, False, False]", self.on_a_terminal(source))


if __name__ == "__main__":
    unittest.main()
