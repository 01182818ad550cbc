# What the tests of images share.
# SPDX-License-Identifier: MIT
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

from ctl import COMMAND

STORE = pathlib.Path(os.environ["SANDBOX_IMAGES"])
BELOW = "libsandbox/images"


def require_image(name: str) -> None:
    if not (STORE / BELOW / name / "digest").exists():
        raise unittest.SkipTest(f"the image '{name}' was not built (see integration.image.build)")


def open_up(folder: pathlib.Path) -> None:
    """An image's directories are read-only; a test's own copy may be changed and removed."""
    for path, _, _ in os.walk(folder):
        os.chmod(path, 0o755)


class ImageTest(unittest.TestCase):
    """Has a store of its own."""

    def setUp(self):
        self.data = pathlib.Path(tempfile.mkdtemp(prefix="sandbox-image-test-"))
        self.addCleanup(self.remove_data)
        self.store = self.data / BELOW

    def remove_data(self):
        open_up(self.data)
        shutil.rmtree(self.data, ignore_errors=True)

    def environment(self, **more):
        return {**os.environ, "XDG_DATA_HOME": str(self.data), **more}

    def call(self, *arguments, **more):
        more.setdefault("env", self.environment())
        return subprocess.run([COMMAND, *arguments], capture_output=True, text=True, timeout=300,
                              check=False, **more)

    def image(self, *arguments, **more):
        return self.call("image", *arguments, **more)

    def copy_image(self, name):
        """A copy of a shared image, times and all."""
        require_image(name)
        self.store.mkdir(parents=True, exist_ok=True)
        subprocess.run(["cp", "-a", "--no-preserve=ownership", STORE / BELOW / name, self.store],
                       check=True)
        return self.store / name

    def entries(self):
        return sorted(path.name for path in self.store.iterdir()) if self.store.exists() else []
