# Builds the images that the tests share, unless they are there and of the present recipe.
#   exit code 77: they cannot be built here
# SPDX-License-Identifier: MIT
import hashlib
import os
import pathlib
import shutil
import subprocess
import sys

COMMAND = os.environ["SANDBOXCTL"]
STORE = pathlib.Path(os.environ["SANDBOX_IMAGES"])
SOURCES = pathlib.Path(__file__).resolve().parents[3] / "runner/src"
RECIPES = ("python", "data")
CANNOT = ("there is no mmdebstrap", "packages could not be fetched")


def recipe_key() -> str:
    """What the content of an image depends on."""
    digest = hashlib.sha256()
    for path in sorted(SOURCES.glob("image_*.cpp")):
        digest.update(path.read_bytes())
    return digest.hexdigest()


def image(*arguments: str) -> subprocess.CompletedProcess:
    environment = {**os.environ, "XDG_DATA_HOME": str(STORE)}
    return subprocess.run([COMMAND, "image", *arguments], env=environment, capture_output=True,
                          text=True, check=False)


def is_ready(name: str) -> bool:
    key = STORE / f"{name}.key"
    return (key.exists() and key.read_text() == recipe_key()
            and image("inspect", name).returncode == 0)


def build(name: str) -> int:
    if is_ready(name):
        print(f"{name}: is there")
        return 0
    if STORE.exists() and not os.access(STORE, os.W_OK):
        print(f"{name}: {STORE} is another user's and has no fresh one; run this as them first")
        return 77
    STORE.mkdir(parents=True, exist_ok=True)
    STORE.chmod(0o755)
    call = image("build", name)
    print(call.stderr, end="")
    if call.returncode == 0:
        (STORE / f"{name}.key").write_text(recipe_key())
        return 0
    if any(reason in call.stderr for reason in CANNOT):
        shutil.rmtree(STORE, ignore_errors=True)  # an old one must not pass for this one
        return 77
    return 1


if __name__ == "__main__":
    sys.exit(next((code for code in map(build, RECIPES) if code != 0), 0))
