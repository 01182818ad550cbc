# The C++ example in README.md is examples/answer.cpp, letter for letter, so that it compiles.
#   readme.py [--self-test]
# SPDX-License-Identifier: MIT
import pathlib
import re
import sys

import common

EXAMPLE = "examples/answer.cpp"


def check(root):
    blocks = re.findall(r"^```cpp\n(.*?)^```$", (root / "README.md").read_text(), re.M | re.S)
    problems = []
    if len(blocks) != 1:
        problems.append(f"README.md: {len(blocks)} blocks of C++, not the one of {EXAMPLE}")
    elif blocks[0] != (root / EXAMPLE).read_text():
        problems.append(f"README.md: its C++ block is not {EXAMPLE}; copy the file into it")
    return problems, 1


def self_test():
    test = common.SelfTest("readme")
    readme = "# x\n```cpp\nint a;\n```\n```sh\nls\n```\n"
    for what, example, text, *wanted in (
        ("the same", "int a;\n", readme),
        ("another", "int b;\n", readme, "copy the file"),
        ("no block", "int a;\n", "# x\n", "0 blocks"),
        ("two blocks", "int a;\n", readme + "```cpp\nint c;\n```\n", "2 blocks"),
    ):
        with common.tree({"README.md": text, EXAMPLE: example}) as folder:
            test.expect(what, check(pathlib.Path(folder))[0], *wanted)
    return test.finish()


if __name__ == "__main__":
    if "--self-test" in sys.argv:
        sys.exit(self_test())
    sys.exit(common.report("readme", *check(common.ROOT)))
