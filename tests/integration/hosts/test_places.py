# What /proc, /sys and /tmp look like, and how many namespaces there may be.
# SPDX-License-Identifier: MIT
import unittest

from hosts import IS_ROOT, Answer, HostTest, for_each, refused

UIDS_NOT_LOCKED = "uids of guests cannot be locked" if IS_ROOT else ""
UNMASK = ("systempaths=unconfined", "ProtectKernelTunables=", "procMount: Unmasked")
MASKED = ("setup_failed", "protection_unavailable")
USED_UP = ("setup_failed", "userns_unavailable")


def no_more(kind):
    return refused(USED_UP, "namespaces", f"user.max_{kind}_namespaces"
                   if kind == "user" else ("user.max_*_namespaces", "user.max_{"), kind)


SAME = {
    "own-proc": Answer(shown_by="test $$ = 1"),
    "no-sys": Answer(shown_by="test ! -e /sys/kernel"),
    "no-sys-no-run": Answer(shown_by="test ! -e /sys/kernel", notice=UIDS_NOT_LOCKED),
    "read-only-tmp": Answer(shown_by="test ! -w /tmp", notice=UIDS_NOT_LOCKED),
    "locked-tmp": Answer(shown_by="grep -q ' /tmp tmpfs [^ ]*noexec' /proc/mounts"),
    "0-time-namespaces": Answer(weaker={"protections.time_namespace": "unavailable"}),
}

REFUSED = {
    "masked-proc": refused(MASKED, "/proc", UNMASK),
    "masked-proc-of-a-pod": refused(MASKED, "/proc", "procMount: Unmasked"),
    "read-only-proc-sys": refused(MASKED, "/proc", UNMASK),
    "read-only-proc": refused(("setup_failed", "userns_unavailable"), "/proc", "read-only"),
    "no-proc": refused("setup_failed", "/proc"),
    "no-dev-null": refused("setup_failed", "/dev/null"),
    "memory-files-not-executable": refused("setup_failed", "vm.memfd_noexec"),
    "0-user-namespaces": no_more("user"),
    "1-user-namespaces": no_more("user"),
    "nested-to-the-end": no_more("user"),
    "nested-but-one": no_more("user"),
    "0-mnt-namespaces": no_more("mnt"),
    "0-net-namespaces": no_more("net"),
    "0-pid-namespaces": no_more("pid"),
    "0-uts-namespaces": no_more("uts"),
    "0-ipc-namespaces": no_more("ipc"),
    "0-cgroup-namespaces": no_more("cgroup"),
}


@for_each(SAME)
class Same(HostTest):
    pass


@for_each(REFUSED)
class Refused(HostTest):
    pass


if __name__ == "__main__":
    unittest.main()
