"""Stands in for TIGRE 3: geometry and Ax by its formulas.

Those are check_geo in Python/tigre/utilities/geometry.py, _types.pxd, and computeDeltas_Siddon in
Common/CUDA/Siddon_projection.cu and Siddon_projection_parallel.cu of github.com/CERN/TIGRE."""
import numpy as np
import rays


class geometry:
    def check_geo(self, angles):
        for name, length in (("nVoxel", 3), ("dVoxel", 3), ("nDetector", 2), ("dDetector", 2)):
            if getattr(self, name).shape != (length,):
                raise AttributeError(name)
        for name in ("DSD", "DSO", "COR"):
            setattr(self, name, np.broadcast_to(getattr(self, name), len(angles)))
        for name in ("offOrigin", "offDetector", "rotDetector"):
            if len(getattr(self, name)) != len(angles):
                raise AttributeError(name)


def about(axis, angle):
    a, b = [(1, 2), (2, 0), (0, 1)][axis]
    turn = np.eye(3)
    turn[a, a] = turn[b, b] = np.cos(angle)
    turn[b, a], turn[a, b] = np.sin(angle), -np.sin(angle)
    return turn


def view(geo, i, angles):
    """Returns the source, of a parallel beam the direction, and the cells of a view."""
    rows, columns = [(np.arange(n) - 0.5 * (n - 1)) * d
                     for n, d in zip(geo.nDetector, geo.dDetector)]
    cells = np.zeros((len(rows), len(columns), 3))
    cells[..., 1], cells[..., 2] = columns[None, :], rows[:, None]
    yaw, pitch, roll = geo.rotDetector[i]
    cells = cells @ (about(2, roll) @ about(1, pitch) @ about(0, yaw)).T
    before = cells + [geo.DSO[i], 0, 0]
    cells = cells + [geo.DSO[i] - geo.DSD[i], geo.offDetector[i][1], geo.offDetector[i][0]]
    alpha, theta, psi = angles[i]
    turn = about(2, alpha) @ about(1, theta) @ about(2, psi)
    if geo.mode == "parallel":
        turn = about(2, alpha)
        source = turn @ (cells - before)[0, 0]
    else:
        source = turn @ [geo.DSO[i], 0, 0] - geo.offOrigin[i][::-1]
    return source, cells @ turn.T - geo.offOrigin[i][::-1]


def Ax(img, geo, angles, projection_type):
    if img.dtype != np.float32 or any(img.shape != geo.nVoxel):
        raise ValueError("Input data should be float32 and of the shape geo.nVoxel")
    geo.check_geo(angles)
    if np.any(geo.COR):
        raise NotImplementedError("COR")
    sources, cells = zip(*[view(geo, i, angles) for i in range(len(angles))])
    spacing = geo.dVoxel[::-1]
    low = -0.5 * geo.nVoxel[::-1] * spacing
    return rays.project(img, spacing, low, sources, np.array(cells), geo.mode == "parallel")
