# Turns what the virtual machine left into results that totals.py counts, one file an identity:
#   results.py OUT RESULTS PROGRAM...
# SPDX-License-Identifier: MIT
#
# OUT has a line "identity exit-code program" in `status` for every program that ended (- as the
# code of one without a test for that identity), and IDENTITY.PROGRAM.xml as GoogleTest writes it.
# Programs in Python are the tests of hosts; the others run as every identity but that one.
# What is missing there is a failed test here.
import pathlib
import sys
import xml.etree.ElementTree as ElementTree

HOSTS = "hosts"
IDENTITIES = ("root", "ordinary-user", HOSTS,
              "systemd-service", "systemd-session", "systemd-delegated")
NO_TEST = object()
MEANINGS = {124: "was stopped at the time limit", 125: "could not be moved to its cgroup",
            137: "was killed, at the time limit or for want of memory"}


def cases_of(file):
    """(name, status as ctest has it, seconds, text) of each test that GoogleTest ran."""
    for case in ElementTree.parse(file).getroot().iter("testcase"):
        if case.get("status") != "run":
            continue
        name = f"{case.get('classname')}.{case.get('name')}"
        texts = [part.get("message", "") for part in case if part.tag in ("failure", "skipped")]
        state = "run"
        if case.find("failure") is not None:
            state = "fail"
        elif case.find("skipped") is not None:
            state = "notrun"
        yield name, state, case.get("time", "0"), "\n".join(texts)


def whole_program(program, exit_code, cases):
    """What went wrong with the program as a whole; empty when its tests tell all."""
    if exit_code is None:
        return "the machine ended before it did"
    if exit_code == 0 and cases:
        return ""
    if exit_code == 1 and any(state == "fail" for _, state, _, _ in cases):
        return ""
    if exit_code == 0:
        return "no test ran"
    meaning = MEANINGS.get(exit_code, "ended early")
    return f"{pathlib.Path(program).name} {meaning} (exit code {exit_code})"


def run_of(identity, out, codes, programs):
    cases = []
    for program in programs:
        if codes.get((identity, program)) == NO_TEST:
            continue
        name = pathlib.Path(program).name
        file = out / f"{identity}.{name}.xml"
        try:
            found = list(cases_of(file))
        except (OSError, ElementTree.ParseError):
            found = []
        trouble = whole_program(program, codes.get((identity, program)), found)
        if trouble:
            found.append((name, "fail", "0", trouble))
        cases += found
    if not any(state in ("run", "fail") for _, state, _, _ in cases):
        cases.append(("tests", "fail", "0", "every test was skipped"))
    return cases


def write(file, name, cases):
    suite = ElementTree.Element("testsuite", name=name, tests=str(len(cases)))
    for case, state, seconds, text in cases:
        element = ElementTree.SubElement(suite, "testcase", name=case, classname=case,
                                         time=seconds, status=state)
        if state == "fail":
            ElementTree.SubElement(element, "failure", message="").text = text
        elif state == "notrun":
            ElementTree.SubElement(element, "skipped", message=f"SKIP_BY_TEST: {text}")
    ElementTree.ElementTree(suite).write(file, encoding="utf-8", xml_declaration=True)


def one_line(text):
    return ": ".join(text.strip().splitlines())[:300]


def main():
    out, results, programs = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), sys.argv[3:]
    codes, status = {}, out / "status"
    for line in status.read_text().splitlines() if status.is_file() else []:
        identity, code, program = line.split(" ", 2)
        codes[identity, program] = NO_TEST if code == "-" else int(code)
    total, parts = {"run": 0, "fail": 0, "notrun": 0}, []
    for identity in IDENTITIES:
        wanted = [p for p in programs if p.endswith(".py") == (identity == HOSTS)]
        if not wanted:
            continue
        cases = run_of(identity, out, codes, wanted)
        write(results / f"vm-{identity}.xml", f"vm-{identity}", cases)
        for name, state, _, text in cases:
            if state != "run":
                word = "FAILED" if state == "fail" else "skipped"
                print(f"vm: {word} as {identity}: {name}: {one_line(text)}")
        counts = {state: sum(case[1] == state for case in cases) for state in total}
        total = {state: total[state] + counts[state] for state in total}
        parts.append(f"{identity} {counts['run']} of {len(cases)}")
    print(f"vm: {total['run']} passed, {total['fail']} failed, {total['notrun']} skipped "
          f"(passed as {', as '.join(parts)})")
    return 1 if total["fail"] else 0


if __name__ == "__main__":
    sys.exit(main())
