# Sums the results that ctest wrote: ctest's own closing line and the counts of each run, then the
# sum alone on the last line.
#   totals.py FOLDER [NAME-OF-A-FAILED-STAGE...]
# SPDX-License-Identifier: MIT
import pathlib
import sys
import xml.etree.ElementTree


def count(path):
    """(passed, failed, skipped) of one JUnit file, as ctest counts.

    ctest also says "skipped" of a test whose program is missing or whose fixture failed. That is a
    failure; only a skip that the test itself asked for is one.
    """
    passed = failed = skipped = 0
    for case in xml.etree.ElementTree.parse(path).getroot().iter("testcase"):
        status, reason = case.get("status"), case.find("skipped")
        if status == "run":
            passed += 1
        elif status == "disabled" or (
                reason is not None and reason.get("message", "").startswith("SKIP_")):
            skipped += 1
        else:
            failed += 1
    return passed, failed, skipped


def closing_line(log):
    lines = log.read_text(errors="replace").splitlines() if log.is_file() else []
    return next((line for line in reversed(lines) if "% tests passed" in line), None)


def line(passed, failed, skipped):
    return f"{passed} passed, {failed} failed, {skipped} skipped"


def main():
    folder, failed_stages = pathlib.Path(sys.argv[1]), sys.argv[2:]
    total = [0, 0, 0]
    for path in sorted(folder.glob("*.xml")):
        counts = count(path)
        print(f"{path.stem}: {line(*counts)}")
        said = closing_line(path.with_suffix(".log"))
        if said:
            print(f"{path.stem}: ctest says: {said}")
        if counts[1]:  # a stage is told apart from the runs inside it by a dash
            failed_stages = [s for s in failed_stages if not f"{path.stem}-".startswith(f"{s}-")]
        total = [a + b for a, b in zip(total, counts)]
    for stage in failed_stages:
        print(f"{stage}: failed without a failed test to show; see above")
    total[1] += len(failed_stages)
    print(line(*total))
    return 0 if total[0] and not total[1] else 1


if __name__ == "__main__":
    sys.exit(main())
