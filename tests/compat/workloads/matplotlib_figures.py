# matplotlib: the same figure as PNG, SVG and PDF, with the fonts of the image and a formula.
# SPDX-License-Identifier: MIT
import os
import warnings

warnings.simplefilter("error")  # a missing font or glyph is a warning

import matplotlib
import matplotlib.font_manager
import matplotlib.pyplot as plt
import numpy as np

assert matplotlib.get_backend().lower() == "agg", matplotlib.get_backend()
font = matplotlib.font_manager.findfont("DejaVu Sans", fallback_to_default=False)
assert font.endswith("DejaVuSans.ttf"), font

figure, axes = plt.subplots(2, 2, figsize=(8, 6))
x = np.linspace(0, 10, 200)
axes[0, 0].plot(x, np.sin(x), label=r"$\sin(x)$")
axes[0, 0].legend()
axes[0, 1].hist(np.random.default_rng(0).normal(size=500), bins=20)
axes[1, 0].imshow(np.outer(np.sin(x), np.cos(x)), cmap="viridis")
axes[1, 1].bar(["ä", "β", "я"], [3, 1, 2])
axes[1, 1].set_title(r"$\sum_{i=0}^{n} \frac{1}{i^2}$")
figure.tight_layout()
sizes = {}
for kind, start in (("png", b"\x89PNG"), ("svg", b"<?xml"), ("pdf", b"%PDF")):
    figure.savefig(f"figure.{kind}", dpi=80)
    with open(f"figure.{kind}", "rb") as file:
        assert file.read(len(start)) == start
    sizes[kind] = os.path.getsize(f"figure.{kind}")
plt.close(figure)
image = plt.imread("figure.png")
assert image.shape == (480, 640, 4) and image.std() > 0.05
assert all(size > 5000 for size in sizes.values()), sizes
print("matplotlib", image.shape, sorted(sizes))
