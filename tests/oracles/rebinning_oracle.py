"""rebinning_oracle.py FOLDER SHAPE SID SDD COLUMNS ROWS DU DV CENTRAL_COLUMN CENTRAL_ROW FEED TURN SLICES Z0 DZ: fans of a
cone-beam scan by rays in space, from the float64 files "angles" and "cone" of FOLDER; writes "fans" there and prints how many
rays pass beyond the detector. TURN: views after which the angles repeat."""
import sys
from pathlib import Path

import numpy as np

folder, shape = Path(sys.argv[1]), sys.argv[2]
sid, sdd = map(float, sys.argv[3:5])
columns, rows = map(int, sys.argv[5:7])
du, dv, central_column, central_row, feed = map(float, sys.argv[7:12])
turn, slices = map(int, sys.argv[12:14])
z0, dz = map(float, sys.argv[14:16])
angles = np.fromfile(folder / "angles")
cone = np.fromfile(folder / "cone").reshape(len(angles), rows, columns)

u = (np.arange(columns) - central_column) * du
v = (np.arange(rows) - central_row) * dv
fans, beyond = np.zeros((turn, slices, columns)), 0
for k in range(turn):
    for i in range(slices):
        z = z0 + i * dz
        same = range(k, len(angles), turn)
        view = min(same, key=lambda j: abs(z - feed * angles[j] / (2 * np.pi)))
        t = angles[view]
        source = sid * np.array([np.sin(t), -np.cos(t)])
        ahead, across = np.array([-np.sin(t), np.cos(t)]), np.array([np.cos(t), np.sin(t)])
        if shape == "flat":
            cells = source + sdd * ahead + u[:, None] * across
        else:
            cells = source + sdd * (np.cos(u / sdd)[:, None] * ahead + np.sin(u / sdd)[:, None] * across)
        way = np.linalg.norm(cells - source, axis=1)
        middle = -(cells - source) @ source / way  # to the middle of the chord, nearest the axis
        height = (z - feed * t / (2 * np.pi)) / middle * way  # where the ray through it lands
        beyond += np.sum((height < v[0] - dv / 2) | (height > v[-1] + dv / 2))
        reached = np.clip(height, v[0], v[-1])
        value = [np.interp(h, v, row) for h, row in zip(reached, cone[view].T)]
        fans[k, i] = value * way / np.hypot(way, reached)
fans.tofile(folder / "fans")
print(beyond)
