# clang-format on every C++ file of the project (version 14: others format differently).
#   format.py [--self-test]
# SPDX-License-Identifier: MIT
import re
import shutil
import subprocess
import sys

import common

VERSION = "14"


def find_clang_format():
    """The path of clang-format 14, or why there is none."""
    for name in (f"clang-format-{VERSION}", "clang-format"):
        tool = shutil.which(name)
        if tool:
            told = subprocess.run([tool, "--version"], capture_output=True, text=True).stdout
            match = re.search(r"version (\d+)", told)
            if match and match.group(1) == VERSION:
                return tool, None
    return None, f"no clang-format {VERSION} on PATH (Debian 12: apt-get install clang-format)"


def problems_in(tool, files):
    """One line per file that clang-format would change."""
    style = common.ROOT / ".clang-format"
    run = subprocess.run([tool, "--dry-run", "-Werror", f"--style=file:{style}", *map(str, files)],
                         capture_output=True, text=True)
    lines = [line for line in run.stderr.splitlines() if "[-Wclang-format-violations]" in line]
    if run.returncode != 0 and not lines:
        return [f"clang-format ended with {run.returncode}: {run.stderr.strip()}"]
    return sorted({line.split(":")[0] + ": run clang-format -i on it" for line in lines})


def self_test(tool):
    test = common.SelfTest("format")
    texts = {"good.cpp": "int f() { return 1; }\n", "bad.cpp": "int  f( ){return 1;}\n"}
    with common.tree(texts) as folder:
        good, bad, none = (f"{folder}/{name}.cpp" for name in ("good", "bad", "none"))
        test.expect("a good file", problems_in(tool, [good]))
        test.expect("a bad file", problems_in(tool, [good, bad]), "bad.cpp")
        test.expect("no such file", problems_in(tool, [none]), "No such file")
    return test.finish()


def main():
    tool, reason = find_clang_format()
    if tool is None:
        common.skip(reason)
    if "--self-test" in sys.argv:
        return self_test(tool)
    files = common.source_files(common.ROOT, (".cpp", ".hpp"))
    return common.report("format", problems_in(tool, files), len(files))


if __name__ == "__main__":
    sys.exit(main())
