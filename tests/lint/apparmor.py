# The AppArmor profile of packaging/apparmor holds what it must, and apparmor_parser takes it, and
# also the one that the README's sed line makes of it.
#   apparmor.py [--self-test]
# SPDX-License-Identifier: MIT
import os
import re
import shutil
import subprocess
import sys

import common

FOLDER = common.ROOT / "packaging" / "apparmor"
PLACES = {"/usr/bin/sandboxctl", "/usr/local/bin/sandboxctl"}
HEAD = re.compile(r"^profile (\S+) (\S+) flags=\(unconfined\) \{$", re.MULTILINE)
# What AppArmor 3 does not know.
NEW = ("abi <abi/4.0>,\n", "  userns,\n")


def expanded(pattern):
    """The paths that a pattern with {alternatives,in braces} stands for."""
    braces = re.search(r"\{([^{}]*)\}", pattern)
    if not braces:
        return {pattern}
    before, after = pattern[:braces.start()], pattern[braces.end():]
    return {path for part in braces[1].split(",") for path in expanded(before + part + after)}


def content_problems(text, name, places):
    head = HEAD.search(text)
    if not head:
        yield "no line 'profile NAME PATH flags=(unconfined) {'"
        return
    if head[1] != name:
        yield f"its name is {head[1]}, not {name}"
    if expanded(head[2]) != places:
        yield f"it is for {sorted(expanded(head[2]))}, not for {sorted(places)}"
    for line in (*NEW, f"  include if exists <local/{name}>\n"):
        if text.count(line) != 1:
            yield f"not once: {line.strip()}"


class Parser:
    """The machine's apparmor_parser; nothing is loaded into the kernel."""

    def __init__(self):
        places = os.environ.get("PATH", "") + ":/usr/sbin:/sbin"
        self.path = shutil.which("apparmor_parser", path=places)
        if not self.path:
            return
        said = subprocess.run([self.path, "--version"], capture_output=True, text=True, check=True)
        found = re.search(r"version (\d+)\.(\d+)", said.stdout + said.stderr)
        self.version = (int(found[1]), int(found[2]))
        self.knows_userns = self.version >= (4, 0)

    def problems(self, text):
        if not self.knows_userns:
            for line in NEW:
                text = text.replace(line, "")
        with common.tree({"profile": text}) as folder:
            said = subprocess.run(
                [self.path, "--skip-kernel-load", "--skip-cache", "--quiet", f"{folder}/profile"],
                capture_output=True, text=True, check=False)
        if said.returncode != 0:
            yield f"apparmor_parser: {said.stderr.strip()}"


def made_by_readme(readme, profile):
    """What the README's line for one's own program makes of the profile."""
    line = re.search(r"^(sed .*) sandboxctl >my-agent$", readme, re.MULTILINE)
    if not line:
        return ""
    return subprocess.run(["sh", "-c", line[1]], input=profile, capture_output=True, text=True,
                          check=True).stdout


def check(profile, readme, parser):
    own = made_by_readme(readme, profile)
    for what, text, name, places in (
            ("sandboxctl", profile, "sandboxctl", PLACES),
            ("what README.md makes of it", own, "my-agent", {"/opt/my-agent/bin/my-agent"})):
        for problem in content_problems(text, name, places):
            yield f"packaging/apparmor: {what}: {problem}"
        if parser.path:
            for problem in parser.problems(text):
                yield f"packaging/apparmor: {what}: {problem}"


def self_test(profile, readme, parser):
    test = common.SelfTest("apparmor")
    test.expect("as it is", check(profile, readme, parser))
    bad = {
        "confined": (" flags=(unconfined)", "", "no line 'profile"),
        "one place": ("{,local/}", "", "it is for"),
        "no rule": ("  userns,\n", "", "not once: userns,"),
        "another ABI": ("abi/4.0", "abi/3.0", "not once: abi"),
        "no local part": ("<local/sandboxctl>", "<local/other>", "not once: include"),
    }
    for what, (old, new, wanted) in bad.items():
        broken = profile.replace(old, new, 1)
        test.expect(what, content_problems(broken, "sandboxctl", PLACES), wanted)
    test.expect("no such line in README.md", list(check(profile, "", parser))[:1], "what README.md")
    if parser.path:
        broken = profile.replace("include if", "rubbish if", 1)
        test.expect("a syntax error", parser.problems(broken), "syntax error")
    return test.finish()


def main():
    profile, readme = (FOLDER / "sandboxctl").read_text(), (FOLDER / "README.md").read_text()
    parser = Parser()
    if "--self-test" in sys.argv:
        return self_test(profile, readme, parser)
    result = common.report("apparmor", list(check(profile, readme, parser)), 2)
    if result:
        return result
    if not parser.path:
        common.skip("apparmor_parser is not installed: only the text was checked, not the syntax")
    if not parser.knows_userns:
        version = ".".join(map(str, parser.version))
        print(f"AppArmor {version} does not know user namespaces: parsed without the lines "
              + " and ".join(f"'{line.strip()}'" for line in NEW))
    return 0


if __name__ == "__main__":
    sys.exit(main())
