# Real containers: what a default one says, that the fixes which are printed mend it, and the
# narrowest seccomp profile.
# SPDX-License-Identifier: MIT
import json
import pathlib
import re
import sys
import tempfile
import unittest

from hosts import IS_ROOT, HostTest, has_doctor
from podman import Podman

PACKAGING = pathlib.Path(__file__).resolve().parents[3] / "packaging/containers"
sys.path.insert(0, str(PACKAGING))
import seccomp_profile  # noqa: E402  (it is not a package)

ENGINES_OWN = pathlib.Path("/usr/share/containers/seccomp.json")
UNMASKED = ("--security-opt", "unmask=ALL")
# clone3 is hidden; what makes namespaces and mounts, and keyctl, is forbidden.
LIKE_DOCKER = {
    "defaultAction": "SCMP_ACT_ALLOW",
    "syscalls": [
        {"names": ["clone3"], "action": "SCMP_ACT_ERRNO", "errnoRet": 38},
        {"names": [*(n for n in seccomp_profile.NEEDED if n != "clone3"), "keyctl"],
         "action": "SCMP_ACT_ERRNO", "errnoRet": 1},
    ],
}


class Containers(HostTest):
    @classmethod
    def setUpClass(cls):
        cls.podman = Podman(pathlib.Path(tempfile.mkdtemp(prefix="sandbox-podman-")))
        cls.addClassCleanup(cls.podman.remove)
        if why := cls.podman.why_not():
            raise unittest.SkipTest(why)
        # Root of a container that has other ids, and the one of the test's own user namespace.
        cls.user = ("--user", "1000") if IS_ROOT else ()

    def sandbox(self, *options):
        """(exit code, error or None) of a run of the command in such a container."""
        done = self.podman.run("/opt/sandboxctl", "run", "--json", "-", options=options,
                               standard_input=b"print('ran')")
        self.assertTrue(done.stdout.startswith(b"{"), (options, done.stdout, done.stderr))
        receipt = json.loads(done.stdout)
        if receipt["error"] is None:
            self.assertEqual((done.returncode, receipt["stdout"]), (0, "ran\n"))
            self.assertEqual(receipt["enforced"]["protections"]["process_view"], "on")
        else:
            self.assertEqual(done.returncode, 125)
            self.assertNotEqual(receipt["error"]["code"], "internal", receipt["error"])
        return receipt["error"]

    def assert_works(self, *options):
        error = self.sandbox(*options)
        self.assertIsNone(error, error and error["message"])

    def assert_mended_by_its_own_words(self, *options):
        """A container that does what each refusal says comes to work."""
        error = self.sandbox(*options)
        self.assertIsNotNone(error, "it works as it is")
        given = set()
        while error:
            told = set(re.findall(r"--security-opt ([a-z]+=[A-Za-z]+)", error["message"]))
            self.assertTrue(told - given, f"nothing new to do: {error['message']}")
            given |= told
            more = [word for option in sorted(given) for word in ("--security-opt", option)]
            error = self.sandbox(*options, *more)

    def profile(self, content):
        path = self.podman.place / "profile.json"
        path.write_text(json.dumps(content), encoding="utf-8")
        return "--security-opt", f"seccomp={path}"

    def engines_profile(self):
        if not ENGINES_OWN.is_file():
            self.skipTest(f"{ENGINES_OWN} is not there")
        return json.loads(ENGINES_OWN.read_text(encoding="utf-8"))

    def test_the_default_container(self):
        self.assert_mended_by_its_own_words()

    def test_the_default_container_as_a_user(self):
        self.assert_mended_by_its_own_words(*self.user)

    def test_the_doctor_says_all_at_once(self):
        if not has_doctor():
            self.skipTest("this sandboxctl has no doctor")
        done = self.podman.run("/opt/sandboxctl", "doctor", "--json", options=self.user)
        found = json.loads(done.stdout)
        self.assertEqual((done.returncode, found["works"]), (1, False))
        fixes = " ".join(check["fix"] for check in found["checks"] if check["state"] == "refused")
        told = sorted(set(re.findall(r"--security-opt ([a-z]+=[A-Za-z]+)", fixes)))
        more = [word for option in told for word in ("--security-opt", option)]
        self.assert_works(*self.user, *more)
        done = self.podman.run("/opt/sandboxctl", "doctor", "--json", options=(*self.user, *more))
        self.assertEqual((done.returncode, json.loads(done.stdout)["works"]), (0, True))

    def test_privileged(self):
        self.assert_works("--privileged")
        self.assert_works("--privileged", *self.user, "--read-only")

    def test_nothing_but_proc_and_the_profile_need_to_be_open(self):
        profile = self.profile(seccomp_profile.with_sandbox(self.engines_profile()))
        self.assert_works(*UNMASKED, *profile)
        self.assert_works(*UNMASKED, *profile, *self.user)
        if IS_ROOT:  # else there is uid 0 alone, and without rights it is nobody's root
            self.assert_works(*UNMASKED, *profile, *self.user, "--cap-drop=all", "--read-only",
                              "--security-opt", "no-new-privileges")

    def test_a_profile_like_dockers(self):
        error = self.sandbox(*UNMASKED, *self.profile(LIKE_DOCKER), *self.user)
        self.assertIsNotNone(error)
        self.assertRegex(error["message"], "clone3.*seccomp.*--security-opt")
        mended = self.profile(seccomp_profile.with_sandbox(LIKE_DOCKER))
        self.assert_works(*UNMASKED, *mended, *self.user)
        done = self.podman.run("/opt/sandboxctl", "run", "--json", "-",
                               options=(*UNMASKED, *mended, *self.user))
        missing = json.loads(done.stdout)["enforced"]["protections"]["session_keyring"]
        self.assertEqual(missing, "unavailable")

    def test_each_call_of_the_profile_is_needed(self):
        for name in seccomp_profile.NEEDED:
            with self.subTest(name=name):
                less = seccomp_profile.with_sandbox(LIKE_DOCKER)
                less["syscalls"][-1]["names"].remove(name)
                forbids = {"names": [name], "action": "SCMP_ACT_ERRNO", "errnoRet": 1}
                less["syscalls"].append(forbids)
                options = (*UNMASKED, *self.profile(less), *self.user)
                done = self.podman.run("/opt/sandboxctl", "run", "-", options=options)
                self.assertEqual(done.returncode, 125)
                self.assertIn(b"seccomp", done.stderr)

    def test_root_without_capabilities(self):
        if not IS_ROOT:
            self.skipTest("takes a container with more than one id")
        opened = (*UNMASKED, "--security-opt", "seccomp=unconfined", "--cap-drop=all")
        error = self.sandbox(*opened)
        self.assertIsNotNone(error)
        self.assertIn("CAP_SETUID", error["message"])
        self.assertIn("ordinary user", error["message"])
        self.assert_works(*opened, *self.user)
        given = set()
        while error:
            told = set(re.findall(r"CAP_([A-Z_]+)", error["message"]))
            self.assertTrue(told - given, f"nothing new to do: {error['message']}")
            given |= told
            error = self.sandbox(*opened, *(f"--cap-add={name}" for name in sorted(given)))

    def test_a_user_namespace_of_its_own(self):
        if not IS_ROOT:
            self.skipTest("takes root's ids")
        opened = (*UNMASKED, "--security-opt", "seccomp=unconfined")
        for mapped in ("--uidmap=0:100000:65536", "--uidmap=0:100000:2000"):
            gids = mapped.replace("uid", "gid")
            self.assert_works(mapped, gids, *opened)
            self.assert_works(mapped, gids, *opened, *self.user)

    def test_a_container_like_the_pod_of_the_documentation(self):
        if not IS_ROOT:
            self.skipTest("takes root's ids")
        mapped = ("--uidmap=0:100000:65536", "--gidmap=0:100000:65536", *self.user)
        closed = ("--cap-drop=all", "--security-opt", "no-new-privileges")
        profile = self.profile(seccomp_profile.with_sandbox(LIKE_DOCKER))
        self.assert_works(*mapped, *closed, *UNMASKED, *profile)
        error = self.sandbox(*mapped, *closed, *profile)
        self.assertIsNotNone(error, "it works with a masked /proc")


if __name__ == "__main__":
    unittest.main()
