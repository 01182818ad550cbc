# sympy: equations, integrals, matrices, and a formula that becomes a function.
# SPDX-License-Identifier: MIT
import sympy

x, y, n = sympy.symbols("x y n")
roots = sympy.solve(x**3 - 6 * x**2 + 11 * x - 6, x)
pair = sympy.solve([x + y - 3, x * y - 2], [x, y])
area = sympy.integrate(sympy.exp(-x**2), (x, -sympy.oo, sympy.oo))
limit = sympy.limit((1 + 1 / n)**n, n, sympy.oo)
series = sympy.series(sympy.cos(x), x, 0, 6).removeO()
matrix = sympy.Matrix([[2, 1], [1, 2]])
assert area == sympy.sqrt(sympy.pi) and limit == sympy.E
assert sympy.simplify(sympy.sin(x)**2 + sympy.cos(x)**2) == 1
assert sympy.diff(sympy.sin(x) * x, x).equals(sympy.sin(x) + x * sympy.cos(x))
digits = str(sympy.N(sympy.pi, 50))
function = sympy.lambdify(x, x**2 + 1)
text = sympy.latex(sympy.Integral(x**2, x))
print("sympy", roots, pair, matrix.eigenvals(), series, digits[-5:], function(3), text)
