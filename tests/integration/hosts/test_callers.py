# Who calls, and under which limits and habits.
# SPDX-License-Identifier: MIT
import resource
import unittest

from hosts import COMMAND, SANITIZED, Answer, HostTest, for_each, has_doctor, refused

UIDS_NOT_LOCKED = "uids of guests cannot be locked"


def limit(words):
    return f"grep -q '^Max {words} ' /proc/self/limits"


def has_ids(count):
    return f"""test "$(awk '{{print $3}}' /proc/self/uid_map)" = {count}"""


NO_SYS_ADMIN = "test $((0x$(awk '/^CapEff/{print $2}' /proc/self/status) >> 21 & 1)) = 0"

SAME = {
    "ten-ids-mapped": Answer(shown_by=has_ids(10), notice=UIDS_NOT_LOCKED),
    "container-ids-mapped": Answer(shown_by=has_ids(65536), notice=UIDS_NOT_LOCKED),
    "mounts-of-another": Answer(shown_by=has_ids(65536)),
    "root-without-sys-admin": Answer(shown_by=NO_SYS_ADMIN),
    "few-files": Answer(shown_by=limit("open files *64")),
    "little-stack": Answer(shown_by=limit("stack size *262144")),
    "no-core": Answer(shown_by=limit("core file size *0 *0")),
    "no-locked-memory": Answer(shown_by=limit("locked memory *0")),
    "few-pending-signals": Answer(shown_by=limit("pending signals *8")),
    "no-terminal": Answer(shown_by="/usr/bin/awk '{exit $1 != $6}' /proc/self/stat"),
    "children-ignored": Answer(shown_by="/bin/grep -q SigIgn:.*[13579bdf]....$ /proc/self/status"),
    "signals-blocked": Answer(shown_by="/bin/grep -q SigBlk:.*fff /proc/self/status"),
    "umask-077": Answer(shown_by='test "$(umask)" = 0077'),
    "umask-777": Answer(shown_by='test "$(umask)" = 0777'),
    "no-path": Answer(shown_by='test -z "$PATH"'),
    "bare-environment": Answer(shown_by='test -z "${HOME+set}"'),
    "odd-locale": Answer(shown_by='test "$LC_ALL" = xx_YY.KOI8-X'),
    "deleted-directory": Answer(shown_by="readlink /proc/self/cwd | grep -q deleted"),
}

WEAKER = {
    "only-root-mapped": Answer(weaker={"protections.processes": "none"},
                               notice="the limit of processes is not enforced"),
}

REFUSED = {
    "root-without-setuid": refused("setup_failed", "CAP_SETUID", "ordinary user"),
    "root-without-any": refused("setup_failed", "CAP_SETUID", "ordinary user"),
    "very-few-files": refused(("setup_failed", "too_many"), "ulimit -n"),
    "few-processes": refused(("setup_failed", "too_many"), "ulimit -u"),
    "small-files": refused("setup_failed", "ulimit -f"),
}


@for_each(SAME)
class Same(HostTest):
    pass


@for_each(WEAKER)
class Weaker(HostTest):
    pass


@for_each(REFUSED)
class Refused(HostTest):
    pass


class WhatTheGuestSees(HostTest):
    def test_modes_do_not_depend_on_the_callers_umask(self):
        look = ["exec", "--", "stat", "-c", "%A %n", "/", "/work", "/etc", "/dev", "/usr", "/tmp"]
        here = self.on(None, "/bin/sh", "-c", 'umask 022; exec "$@"', "sh", COMMAND, *look)
        there = self.on("umask-077", COMMAND, *look)
        self.assertEqual((here.returncode, there.returncode), (0, 0))
        self.assertEqual(there.stdout, here.stdout)


class LittleMemory(HostTest):
    """It works, or the loader cannot even start it, or it says which limit is too low."""

    def assert_copes(self, kind, word, mebibytes):
        if SANITIZED:
            self.skipTest("the address sanitizer takes terabytes of address space")
        for size in mebibytes:
            for arguments in (["run", "--json", "-"], ["doctor", "--json"]):
                if arguments[0] == "doctor" and not has_doctor():
                    continue
                with self.subTest(size=size, command=arguments[0]):
                    value = size << 20
                    done = self.on(None, COMMAND, *arguments, input=b"print('ran')",
                                   preexec_fn=lambda: resource.setrlimit(kind, (value, value)))
                    if done.returncode in (0, 127):
                        continue
                    text = (done.stdout + done.stderr).decode()
                    self.assertIn(done.returncode, (1, 125), text)
                    self.assertIn(word, text)
                    self.assertNotIn('"internal"', text)

    def test_address_space(self):
        self.assert_copes(resource.RLIMIT_AS, "ulimit -v", range(16, 112, 16))

    def test_data(self):
        self.assert_copes(resource.RLIMIT_DATA, "ulimit -d", (1, 4, 8, 16, 24))


if __name__ == "__main__":
    unittest.main()
