# Runs the tests of one file here and writes what came of each as GoogleTest does:
#   run.py TEST.py RESULT.xml
# SPDX-License-Identifier: MIT
import pathlib
import sys
import time
import unittest
import xml.etree.ElementTree as ElementTree


class Result(unittest.TextTestResult):
    """Keeps, beside what is printed, one element a test; subtests are part of theirs."""

    def __init__(self, *arguments, **more):
        super().__init__(*arguments, **more)
        self.suite = ElementTree.Element("testsuite")
        self.element = None
        self.started = 0.0

    def element_of(self, name, class_name):
        return ElementTree.SubElement(self.suite, "testcase", status="run", name=name,
                                      classname=class_name, time="0")

    def startTest(self, test):
        super().startTest(test)
        kind = type(test)
        self.element = self.element_of(test._testMethodName, f"{kind.__module__}.{kind.__name__}")
        self.started = time.monotonic()

    def stopTest(self, test):
        super().stopTest(test)
        self.element.set("time", f"{time.monotonic() - self.started:.3f}")
        self.element = None

    def note(self, test, tag, text):
        # What a whole class fails or skips with comes without a test.
        element = self.element if self.element is not None else self.element_of(str(test), "class")
        ElementTree.SubElement(element, tag, message=text)

    def note_error(self, test, error):
        kind, value, _ = error
        self.note(test, "failure", f"{test}: {kind.__name__}: {value}")

    def addError(self, test, err):
        super().addError(test, err)
        self.note_error(test, err)

    def addFailure(self, test, err):
        super().addFailure(test, err)
        self.note_error(test, err)

    def addSubTest(self, test, subtest, err):
        super().addSubTest(test, subtest, err)
        if err is not None:
            self.note_error(subtest, err)

    def addSkip(self, test, reason):
        super().addSkip(test, reason)
        self.note(test, "skipped", reason)

    def addUnexpectedSuccess(self, test):
        super().addUnexpectedSuccess(test)
        self.note(test, "failure", "was expected to fail")


def main():
    file, result = map(pathlib.Path, sys.argv[1:])
    sys.path.insert(0, str(file.parent))
    suite = unittest.defaultTestLoader.loadTestsFromName(file.stem)
    ran = unittest.TextTestRunner(sys.stdout, verbosity=2, resultclass=Result).run(suite)
    ElementTree.ElementTree(ran.suite).write(result, encoding="utf-8", xml_declaration=True)
    return 0 if ran.wasSuccessful() else 1


if __name__ == "__main__":
    sys.exit(main())
