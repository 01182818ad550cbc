# scipy: minima and roots, statistics, sparse systems, integrals, and callbacks from compiled code.
# SPDX-License-Identifier: MIT
import numpy as np
from scipy import integrate, interpolate, optimize, signal, sparse, stats
from scipy.sparse import linalg as sparse_linalg

found = optimize.minimize(optimize.rosen, [1.3, 0.7, 0.8, 1.9, 1.2], method="BFGS")
assert np.allclose(found.x, 1, atol=1e-4)
root = optimize.brentq(lambda x: x**3 - 2, 0, 2)
fitted, _ = optimize.curve_fit(lambda x, a, b: a * np.exp(b * x), np.arange(5),
                               2 * np.exp(0.3 * np.arange(5)))
assert np.allclose(fitted, [2, 0.3])
plan = optimize.linprog([-1, -2], A_ub=[[1, 1], [1, 3]], b_ub=[4, 6])
assert plan.success

random = np.random.default_rng(1)
first, second = random.normal(0, 1, 400), random.normal(0.5, 1, 400)
test = stats.ttest_ind(first, second)
assert test.pvalue < 1e-6
assert abs(stats.norm.cdf(1.959963984540054) - 0.975) < 1e-12

size = 500
laplace = sparse.diags([-1, 2, -1], [-1, 0, 1], shape=(size, size), format="csc")
assert np.allclose(laplace @ sparse_linalg.spsolve(laplace, np.ones(size)), 1)
values = sparse_linalg.eigsh(laplace, k=2, sigma=0, return_eigenvectors=False)

area, error = integrate.quad(lambda x: np.exp(-x * x), -np.inf, np.inf)
assert abs(area - np.sqrt(np.pi)) < 1e-8
wave = integrate.solve_ivp(lambda t, y: [y[1], -y[0]], (0, 2 * np.pi), [1, 0], rtol=1e-9,
                           atol=1e-9)
assert abs(wave.y[0, -1] - 1) < 1e-6
smooth = interpolate.CubicSpline(np.arange(10), np.sin(np.arange(10)))
peaks, _ = signal.find_peaks(np.sin(np.linspace(0, 20, 500)))
print("scipy", round(root, 10), round(plan.fun, 6), round(float(area), 8), len(peaks),
      round(float(smooth(2.5)), 4), bool(values.min() > 0))
