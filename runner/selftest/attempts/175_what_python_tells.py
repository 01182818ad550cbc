# attempt: 175 learn host paths or others' names from what Python itself tells
# SPDX-License-Identifier: MIT
# group: information
# expect: arguments=inside file=inside traceback=inside folder=inside command_line=inside
# expect: search_path=exists program=exists locale=neutral temporary=inside home=inside user=sandbox
# expect: session=none
# works: plain
import getpass
import locale
import os
import re
import sys
import tempfile
import traceback


def inside(label, path, *tops):
    path = os.path.abspath(path)
    met(label, "inside" if path.startswith(tops or ("/work/",)) or path == "/work" else "worked")


inside("arguments", sys.argv[0])
inside("file", __file__)
try:
    raise ValueError
except ValueError as error:
    inside("traceback", traceback.extract_tb(error.__traceback__)[0].filename)
inside("folder", os.getcwd())
with open("/proc/self/cmdline") as file:
    words = file.read().split("\0")[1:-1]
inside("command_line", words[-1])
known = all(os.path.isdir(path) or path.endswith(".zip") for path in sys.path)
met("search_path", "exists" if known else "worked")
program = [sys.executable, os.readlink("/proc/self/exe")]
met("program", "exists" if all(map(os.path.exists, program)) else "worked")
met("locale", "neutral" if locale.setlocale(locale.LC_ALL, "") in ("C.UTF-8", "C") else "worked")
inside("temporary", tempfile.gettempdir(), "/tmp")
inside("home", os.path.expanduser("~"), "/tmp", "/work")
met("user", getpass.getuser())
text = "\0".join([*sys.argv, *sys.path, *os.environ.values(), os.getcwd()])
met("session", "worked" if re.search(r"[0-9a-f]{12,}|[0-9a-f]{8}-[0-9a-f]{4}-", text) else "none")
