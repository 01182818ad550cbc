# numpy: linear algebra, FFT, random numbers, a file as an array, and how many threads it takes.
# SPDX-License-Identifier: MIT
import os

import numpy as np

random = np.random.default_rng(7)
matrix = random.standard_normal((300, 300))
matrix = matrix @ matrix.T + 300 * np.eye(300)
right = random.standard_normal(300)
solved = np.linalg.solve(matrix, right)
assert np.allclose(matrix @ solved, right)
assert np.all(np.linalg.eigvalsh(matrix) > 0)
left, values, _ = np.linalg.svd(matrix)
assert np.allclose(left @ left.T, np.eye(300)) and values[0] >= values[-1]

seconds = np.arange(1024) / 1024
spectrum = np.abs(np.fft.rfft(np.sin(2 * np.pi * 50 * seconds)))
assert spectrum.argmax() == 50
assert np.allclose(np.fft.irfft(np.fft.rfft(right), 300), right)

mapped = np.memmap("numbers.dat", dtype="float32", mode="w+", shape=(1000, 100))
mapped[:] = np.arange(100, dtype="float32")
mapped.flush()
again = np.memmap("numbers.dat", dtype="float32", mode="r", shape=(1000, 100))
assert again[999, 99] == 99 and os.path.getsize("numbers.dat") == 400000

threads = int(os.environ["OPENBLAS_NUM_THREADS"])
assert 1 <= threads <= len(os.sched_getaffinity(0))
assert len(os.listdir("/proc/self/task")) <= threads
text = np.array2string(np.linspace(0, 1, 5), precision=2)
print("numpy", text, spectrum.argmax(), int(again.sum()), random.integers(0, 100, 3).tolist())
