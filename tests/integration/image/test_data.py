# The data image at work: small programs as a model writes them.
# SPDX-License-Identifier: MIT
import os
import pathlib
import struct
import subprocess
import tempfile
import unittest

from ctl import COMMAND
from images import STORE, require_image

TABLE = """
import numpy as np, pandas as pd
frame = pd.DataFrame({"group": ["a", "b", "a", "b"], "value": [1.0, 2.5, 3.0, 4.5]})
print(frame.groupby("group").value.mean().to_dict())
print(float(np.linalg.det(np.array([[1.0, 2.0], [3.0, 4.0]])).round(6)))
"""
SCIENCE = """
import scipy.optimize, scipy.stats, sympy
print(round(scipy.optimize.brentq(lambda x: x * x - 2, 0, 2), 6))
print(round(float(scipy.stats.norm.cdf(1.96)), 4))
x = sympy.symbols("x")
print(sympy.integrate(sympy.cos(x) * x, x))
"""
OFFICE = """
import io, pandas as pd
from lxml import etree
from PIL import Image
pd.DataFrame({"n": [1, 2, 3]}).to_excel("table.xlsx", index=False)
print(int(pd.read_excel("table.xlsx").n.sum()))
print(etree.fromstring("<a><b t='7'/></a>").xpath("//b/@t")[0])
image = Image.new("RGB", (8, 8), "red")
buffer = io.BytesIO(); image.save(buffer, "JPEG"); print(Image.open(buffer).size)
"""
PLOT = """
import matplotlib.pyplot as plt
figure, axes = plt.subplots(figsize=(4, 3), dpi=100)
axes.plot([1, 2, 3], [1, 4, 9], "o-")
axes.set_title("Größe in m²")
figure.savefig("plot.png")
figure.savefig("plot.svg")
"""
PLACES = """
import datetime, zoneinfo, locale, subprocess, ctypes.util
print(datetime.datetime(2024, 7, 1, tzinfo=zoneinfo.ZoneInfo("Europe/Berlin")).utcoffset())
print(locale.getpreferredencoding())
subprocess.run("echo shell $((6 * 7))", shell=True, check=True)
print(bool(ctypes.util.find_library("m")))
for path in ("/usr/bin/new", "/usr/lib/python3/dist-packages/new.py"):
    try:
        open(path, "w")
    except OSError as error:
        print(error.errno)
"""


class Data(unittest.TestCase):
    def setUp(self):
        require_image("data")
        folder = tempfile.TemporaryDirectory(prefix="sandbox-data-test-")
        self.addCleanup(folder.cleanup)
        self.out = pathlib.Path(folder.name) / "out"

    def run_in_image(self, program, *options):
        call = subprocess.run([COMMAND, "run", "--image", "data", *options, "-"], input=program,
                              env={**os.environ, "XDG_DATA_HOME": str(STORE)}, capture_output=True,
                              text=True, timeout=120, check=False)
        self.assertEqual((call.returncode, call.stderr), (0, ""))
        return call.stdout.splitlines()

    def test_tables(self):
        self.assertEqual(self.run_in_image(TABLE), ["{'a': 2.0, 'b': 3.5}", "-2.0"])

    def test_science(self):
        self.assertEqual(self.run_in_image(SCIENCE), ["1.414214", "0.975", "x*sin(x) + cos(x)"])

    def test_office_files(self):
        self.assertEqual(self.run_in_image(OFFICE), ["6", "7", "(8, 8)"])

    def test_a_plot_comes_back(self):
        self.run_in_image(PLOT, "--out", str(self.out))
        self.assertEqual(sorted(path.name for path in self.out.iterdir()), ["plot.png", "plot.svg"])
        picture = (self.out / "plot.png").read_bytes()
        self.assertEqual(picture[:8], b"\x89PNG\r\n\x1a\n")
        self.assertEqual(struct.unpack(">II", picture[16:24]), (400, 300))

    def test_surroundings(self):
        self.assertEqual(self.run_in_image(PLACES),
                         ["2:00:00", "UTF-8", "shell 42", "True", "30", "30"])

    def test_modules_come_as_bytecode(self):
        program = ("import os, pandas.core.frame as m\n"
                   "print(m.__cached__, os.path.exists(m.__cached__))")
        self.assertRegex(self.run_in_image(program)[0],
                         r"__pycache__/frame\.cpython-3\d+\.pyc True$")


if __name__ == "__main__":
    unittest.main()
