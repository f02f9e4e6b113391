"""wls_oracle.py FOLDER RAYS NX NY NZ DX DY DZ BETA Q EDGE: minimises
1/2 sum w (b - A x)^2 + BETA sum over neighbours {j, k} of b_jk rho(x_j - x_k) by scipy's L-BFGS and Newton's
method in float64, from the float32 files A (row by row), b and w of FOLDER; writes x there."""
import sys
from itertools import product
from pathlib import Path

import numpy as np
from scipy.optimize import minimize

folder = Path(sys.argv[1])
rays, nx, ny, nz = map(int, sys.argv[2:6])
dx, dy, dz, beta, q, edge = map(float, sys.argv[6:12])
n = nx * ny * nz
A = np.fromfile(folder / "A", np.float32).astype(float).reshape(rays, n)
b = np.fromfile(folder / "b", np.float32).astype(float)
w = np.fromfile(folder / "w", np.float32).astype(float)

steps = [s for s in product((-1, 0, 1) if nz > 1 else (0,), (-1, 0, 1), (-1, 0, 1)) if any(s)]
weight = {s: 1 / np.linalg.norm(np.multiply(s, (dz, dy, dx))) for s in steps}
total = sum(weight.values())
index = np.arange(n).reshape(nz, ny, nx)
J, K, B = [], [], []
for place in np.ndindex(nz, ny, nx):
    for step in steps:
        other = tuple(np.add(place, step))
        if all(0 <= o < m for o, m in zip(other, (nz, ny, nx))) and index[place] < index[other]:
            J.append(index[place]), K.append(index[other]), B.append(weight[step] / total)
J, K, B = map(np.array, (J, K, B))


def rho(t):
    return t**2 / 2 / (1 + np.abs(t / edge) ** (2 - q))


def slope(t):
    u = np.abs(t / edge) ** (2 - q)
    return t * (1 + q * u / 2) / (1 + u) ** 2


def objective(x):
    r, t = A @ x - b, x[J] - x[K]
    g = A.T @ (w * r)
    np.add.at(g, J, beta * B * slope(t))
    np.add.at(g, K, -beta * B * slope(t))
    return 0.5 * np.sum(w * r**2) + beta * np.sum(B * rho(t)), g


scale = 1e-2  # of x: so that scipy's tolerances mean something
start = np.linalg.lstsq(np.sqrt(w)[:, None] * A, np.sqrt(w) * b, rcond=None)[0]
unit = objective(start)[0]
found = minimize(
    lambda y: (objective(scale * y)[0] / unit, scale * objective(scale * y)[1] / unit), start / scale, jac=True,
    method="L-BFGS-B", options={"maxiter": 20000, "maxfun": 100000, "ftol": 1e-16, "gtol": 1e-13, "maxcor": 50})
x = scale * found.x
for _ in range(30):  # Newton's last steps; the second derivative by differences of the first
    t = x[J] - x[K]
    e = 1e-6 * edge
    curve = beta * B * (slope(t + e) - slope(t - e)) / (2 * e)
    H = A.T @ (w[:, None] * A)
    np.add.at(H, (J, J), curve), np.add.at(H, (K, K), curve)
    np.add.at(H, (J, K), -curve), np.add.at(H, (K, J), -curve)
    value, g = objective(x)
    step = np.linalg.solve(H, -g)
    reach = 1.0
    while objective(x + reach * step)[0] > value and reach > 1e-6:
        reach /= 2
    if reach <= 1e-6 or np.abs(step).max() < 1e-12:
        break
    x = x + reach * step
x.tofile(folder / "x")
print(objective(x)[0], np.abs(objective(x)[1]).max())
