# attempt: 208 programs that are longer than a pipe, or hold what no text should
# SPDX-License-Identifier: MIT
# group: control
# expect: long=whole mark=whole nul=refused|cut|whole very_long=whole|refused empty=whole
# works: never an odd program is a program like any other
import subprocess
import sys


def run(label, source):
    """The program by a pipe; its last line tells that all of it was read."""
    done = subprocess.run([sys.executable, "-"], input=source, capture_output=True, check=False,
                          timeout=15)
    whole = done.returncode == 0 and done.stdout.strip() == b"end"
    met(label, "whole" if whole else "refused" if done.returncode else "cut")


END = b"\nprint('end')\n"
run("long", b"# filling\n" * 20000 + END)
run("very_long", b"#" * (1 << 20) + END)
run("mark", b"\xef\xbb\xbf" + END)
run("nul", b"x = 1\0\n" + END)
run("empty", b"\n" * 70000 + END)
