# Who may include whom, and who may link whom (docs/architecture.md, "Layers").
#   layers.py                 every #include in the project
#   layers.py --links FILE    the link graph that link_graph.cmake wrote
#   layers.py --self-test     both checks see a forbidden edge
# SPDX-License-Identifier: MIT
import argparse
import pathlib
import re
import sys

import common

STANDARD = set(
    """algorithm any array atomic barrier bit bitset cassert cctype cerrno cfenv cfloat charconv
    chrono cinttypes climits clocale cmath compare complex concepts condition_variable coroutine
    csetjmp csignal cstdarg cstddef cstdint cstdio cstdlib cstring ctime cuchar cwchar cwctype deque
    exception execution filesystem format forward_list fstream functional future initializer_list
    iomanip ios iosfwd iostream istream iterator latch limits list locale map memory memory_resource
    mutex new numbers numeric optional ostream queue random ranges ratio regex scoped_allocator
    semaphore set shared_mutex source_location span sstream stack stdexcept stop_token streambuf
    string string_view syncstream system_error thread tuple type_traits typeindex typeinfo
    unordered_map unordered_set utility valarray variant vector version""".split()
)
# Standard headers without allocation, locks or exceptions of their own.
FREESTANDING = set(
    """array bit cerrno climits compare concepts csignal cstddef cstdint cstring initializer_list
    iterator limits span string_view type_traits utility""".split()
)
# Parts of Boost that are Linux or process code under another name.
BOOST_SYSTEM_CODE = re.compile(r"boost/(process|interprocess|asio/(posix|local|signal_set|"
                               r"readable_pipe|writable_pipe|connect_pipe))\b")
PROCESS_CALL = re.compile(r"(?:\bstd::|(?<![\w:.>])::|(?<![\w:.>]))"
                          r"(fork|vfork|execve|execvp|execv|execl|execlp|popen|posix_spawnp?|"
                          r"waitpid|clone3?|syscall|system)\s*\(")

# Which zone a folder is, the most special first.
ZONES = [
    ("libsandbox/testing/", "testing"),
    ("libsandbox/", "core"),
    ("runner/launcher/", "launcher"),
    ("runner/", "runner"),
    ("kinds/", "kind"),
    ("apps/", "app"),
    ("examples/", "app"),
    ("bench/", "app"),
    ("tests/", "tests"),
]
# Which zones a zone's files may include. The runner reads the launcher's plan; never the reverse.
MAY_INCLUDE = {
    "core": {"core"},
    "testing": {"core", "testing"},
    "launcher": {"launcher"},
    "runner": {"core", "runner", "launcher"},
    "kind": {"core", "kind"},
    "app": {"core", "testing", "runner", "kind", "app"},
}  # and tests may include anything
NO_SYSTEM_CODE = {"core", "testing", "kind"}

# Edges of the link graph that must not be, target by target.
CORE, RUNNER = "sandbox_core", "sandbox_runner"
KIND, TESTING = "sandbox_codeact", "sandbox_testing"
LAUNCHER = re.compile(r"sandbox_launcher")
FORBIDDEN_LINKS = {
    CORE: {RUNNER, KIND, TESTING},
    TESTING: {RUNNER, KIND},
    KIND: {RUNNER, TESTING},
    RUNNER: {KIND, TESTING},
}


def zone_of(path):
    return next((zone for folder, zone in ZONES if path.startswith(folder)), None)


def zone_of_name(name):
    """The zone of a public header, from the name it is included by."""
    if name.startswith("sandbox/runner/"):
        return "runner"
    if name.startswith("sandbox/testing/"):
        return "testing"
    if name.startswith("sandbox/codeact/"):
        return "kind"
    return "core" if name.startswith("sandbox/") else None


def zone_of_private(root, includer, name):
    """The zone of a header that is found beside the includer or below one of its parents."""
    folder = (root / includer).parent
    while True:
        for candidate in (folder / name, folder / "src" / name):
            if candidate.is_file():
                found = candidate.resolve()
                inside = found.is_relative_to(root)
                return zone_of(found.relative_to(root).as_posix()) if inside else None
        if folder == root:
            return None
        folder = folder.parent


def system_problem(zone, name):
    """Why a zone may not include <name>; None when it may."""
    plain = name.split("/")[0]
    if zone == "launcher":
        if name.startswith("boost/") or (name in STANDARD and name not in FREESTANDING):
            return "the launcher knows libc, kernel headers and freestanding headers only"
        return None
    if zone in NO_SYSTEM_CODE:
        if BOOST_SYSTEM_CODE.match(name):
            return "no Linux or process code in this layer, not through Boost either"
        known = name in STANDARD or plain == "boost" or (zone == "core" and plain == "openssl")
        if not known and not (zone == "testing" and plain in ("gtest", "gmock")):
            return "only the standard library and Boost (and libcrypto in libsandbox) here"
    return None


def check_includes(root):
    problems, checked = [], 0
    for path in common.source_files(root, (".cpp", ".hpp", ".h", ".c")):
        includer = path.relative_to(root).as_posix()
        zone = zone_of(includer)
        text = common.blank(path.read_text(), keep_strings=True)
        checked += 1
        for number, line in enumerate(text.split("\n"), 1):
            where = f"{includer}:{number}"
            match = re.match(r'\s*#\s*include\s*([<"])([^>"]+)[>"]', line)
            if match:
                problem = include_problem(root, includer, zone, *match.groups())
                if problem:
                    problems.append(f"{where}: {match.group(2)}: {problem}")
        if zone in NO_SYSTEM_CODE:
            for number, line in enumerate(common.blank(text).split("\n"), 1):
                match = PROCESS_CALL.search(line)
                if match:
                    call = match.group(1)
                    problems.append(f"{includer}:{number}: {call}(): no process code here")
    return problems, checked


def include_problem(root, includer, zone, quote, name):
    if zone is None:
        return "this folder has no layer; add it to ZONES"
    if zone == "tests":
        return None
    target = zone_of_name(name)
    if target is None and quote == '"':
        target = zone_of_private(root, includer, name)
        if target is None:
            return "cannot tell whose header this is"
    if target is None:
        return system_problem(zone, name)
    if target not in MAY_INCLUDE[zone]:
        return f"{zone} may not include {target}"
    kind = re.match(r"kinds/(\w+)/", includer)
    if zone == "kind" and target == "kind" and kind and name.startswith("sandbox/"):
        if not name.startswith(f"sandbox/{kind.group(1)}/"):
            return "kinds do not include each other"
    return None


def read_links(path):
    """({target: all targets it reaches}, {target: its folder})."""
    direct, folders = {}, {}
    for line in pathlib.Path(path).read_text().splitlines():
        name, folders[name], used = line.split("\t")
        direct[name] = {u for u in used.split(",") if u}
    return {name: reachable(direct, name) for name in direct}, folders


def reachable(direct, start):
    found, open_ends = set(), [start]
    while open_ends:
        new = direct.get(open_ends.pop(), set()) - found
        found |= new
        open_ends += new
    return found - {start}


def check_links(links, folders):
    problems = []
    for target, used in sorted(links.items()):
        in_tests = folders.get(target, "").split("/")[0] == "tests"
        forbidden = set(FORBIDDEN_LINKS.get(target, ()))
        if LAUNCHER.match(target):
            forbidden |= {CORE, RUNNER, KIND, TESTING}
        for other in sorted(used):
            if other in forbidden:
                problems.append(f"{target} reaches {other}, which its layer may not know")
            elif not in_tests and folders.get(other, "").split("/")[0] == "tests":
                problems.append(f"{target} reaches {other}: nothing may depend on tests")
    missing = [t for t in FORBIDDEN_LINKS if t not in links]
    return problems + [f"target {t} is not in the link graph" for t in missing]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--links", metavar="FILE")
    parser.add_argument("--self-test", action="store_true")
    options = parser.parse_args()
    if options.self_test:
        import layers_selftest

        return layers_selftest.run(check_includes, read_links, check_links)
    if options.links:
        links, folders = read_links(options.links)
        return common.report("link graph", check_links(links, folders), len(links))
    return common.report("layers", *check_includes(common.ROOT))


if __name__ == "__main__":
    sys.exit(main())
