# Lengths, licence lines and white space of our files; top-level folders open with a short README.
#   files.py [--self-test]
# SPDX-License-Identifier: MIT
import pathlib
import re
import sys

import common

MAX_LINES = 450
MAX_COLUMNS = 100
MAX_README_LINES = 15
CODE = (".cpp", ".hpp", ".h", ".c", ".py")
BUILD = ("CMakeLists.txt", ".cmake", ".cmake.in")
SHELL_FOLDERS = ("scripts", ".ci")
LICENSE = "SPDX-License-Identifier: MIT"


def is_script(path):
    """A file without a suffix in scripts/ or .ci/ that starts with #!."""
    if path.suffix or path.parent.name not in SHELL_FOLDERS:
        return False
    return path.read_bytes()[:2] == b"#!"


def checked_files(root):
    files = common.source_files(root, CODE + BUILD + (".sh",))
    return files + [p for p in common.source_files(root, ("",)) if is_script(p)]


def file_problems(path, text):
    lines = text.split("\n")
    if len(lines) - 1 > MAX_LINES:
        yield len(lines) - 1, f"more than {MAX_LINES} lines: does it still hold one concept?"
    if not any(LICENSE in line for line in lines[:6]):
        yield 1, f"no line '{LICENSE}' at the top"
    if text and not text.endswith("\n") or text.endswith("\n\n"):
        yield len(lines), "must end with exactly one line feed"
    for number, line in enumerate(lines, 1):
        if line != line.rstrip():
            yield number, "white space at the end of the line"
        if "\t" in line:
            yield number, "tab"
        long = len(line) > MAX_COLUMNS and path.name.endswith(CODE)
        # A field of an attempt's header is one line.
        field = path.parent.name == "attempts" and re.match(r"# [\w ,]+: ", line)
        if long and not field and not re.search(r"https?://|NOLINT", line):
            yield number, f"more than {MAX_COLUMNS} columns"


def readme_problems(root):
    for folder in sorted(p for p in root.iterdir() if p.is_dir()):
        if folder.name.startswith((".", "build")) or not any(folder.iterdir()):
            continue
        readme = folder / "README.md"
        if not readme.is_file():
            yield f"{folder.name}/: no README.md that says what lives here"
        elif len(readme.read_text().splitlines()) > MAX_README_LINES:
            yield f"{folder.name}/README.md: more than {MAX_README_LINES} lines"


def check(root):
    problems, files = list(readme_problems(root)), checked_files(root)
    for path in files:
        where = path.relative_to(root).as_posix()
        for number, problem in file_problems(path, path.read_text()):
            problems.append(f"{where}:{number}: {problem}")
    return problems, len(files)


def self_test():
    test = common.SelfTest("files")
    head = f"// A file.\n// {LICENSE}\n"
    good = {"src/README.md": "One line.\n", "src/a.cpp": head + "int a;\n",
            "x/README.md": "x\n",
            "x/attempts/1_a.py": f"# {LICENSE}\n# works: never " + "x" * 100 + "\n",
            "src/u.cpp": head + "// https://example.org/" + "x" * 100 + "\n",
            "scripts/README.md": "\n", "scripts/run": f"#!/bin/sh\n# {LICENSE}\n",
            "build/x.cpp": "\t"}
    bad = {
        "a long file": ("src/b.cpp", head + "int a;\n" * MAX_LINES, "more than 450 lines"),
        "a long line": ("src/b.cpp", head + "int " + "a" * 100 + ";\n", "more than 100 columns"),
        "a long line of an attempt": ("src/attempts/1.py", f"# {LICENSE}\n" + "a" * 101 + "\n",
                                      "more than 100 columns"),
        "no licence": ("src/b.hpp", "int a;\n", "SPDX"),
        "no licence in a script": ("scripts/x", "#!/bin/sh\n", "SPDX"),
        "no line feed": ("src/b.py", f"# {LICENSE}", "one line feed"),
        "white space": ("src/CMakeLists.txt", f"# {LICENSE}\nset(a) \n", "white space"),
        "tab": ("cmake/x.cmake", f"# {LICENSE}\n\tset(a)\n", "tab"),
        "long readme": ("src/README.md", "line\n" * (MAX_README_LINES + 1), "more than 15 lines"),
        "no readme": ("lib/x.txt", "x", "no README.md"),
    }
    with common.tree(good) as folder:
        test.expect("a good tree", check(pathlib.Path(folder))[0])
    for what, (path, text, wanted) in bad.items():
        with common.tree({**good, "cmake/README.md": "x\n", path: text}) as folder:
            test.expect(what, check(pathlib.Path(folder))[0], wanted)
    return test.finish()


if __name__ == "__main__":
    if "--self-test" in sys.argv:
        sys.exit(self_test())
    sys.exit(common.report("files", *check(common.ROOT)))
