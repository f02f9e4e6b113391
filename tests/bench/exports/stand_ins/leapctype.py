"""Stands in for LEAP: its geometries after parameters.cpp in src of github.com/LLNL/LEAP.

Of a modular beam this is the way with CUDA (setProjectionGPUparams in cuda_utils.cu)."""
import numpy as np
import rays


class tomographicModels:
    helical_pitch, is_curved, field_radius, takes_all = 0.0, False, 0.0, False

    def set_parallelbeam(self, views, rows, columns, height, width, center_row, center_col, phis):
        self.kind, self.shape, self.cell = "parallel", (views, rows, columns), (height, width)
        self.center_row, self.center_col = center_row, center_col
        if phis.dtype != np.float32 or phis.shape != (views,):
            raise TypeError("phis")
        self.phis = np.radians(phis.astype(float)) - np.pi / 2

    def set_fanbeam(self, *numbers):
        self.set_parallelbeam(*numbers[:8])
        self.kind, (self.sod, self.sdd) = "fan", numbers[8:]

    def set_conebeam(self, *numbers):
        self.set_fanbeam(*numbers[:10])
        self.kind = "cone"
        if len(numbers) == 12 and numbers[10] == 0:
            self.helical_pitch = numbers[11]
        elif len(numbers) > 10:
            raise NotImplementedError("tau and tiltAngle")

    def set_modularbeam(self, views, rows, columns, height, width, *vectors):
        self.kind, self.shape, self.cell = "modular", (views, rows, columns), (height, width)
        self.center_row, self.center_col = 0.5 * (rows - 1), 0.5 * (columns - 1)
        if any(v.dtype != np.float32 or v.shape != (views, 3) for v in vectors):
            raise TypeError("sourcePositions, moduleCenters, rowVectors, colVectors")
        self.vectors = [v.astype(float) for v in vectors]

    def set_curvedDetector(self):
        self.is_curved = self.kind == "cone"

    def set_volume(self, nx, ny, nz, width, height, x, y, z):
        self.size, self.voxel, self.middle = (nx, ny, nz), [width, width, height], [x, y, z]
        if self.kind in ("parallel", "fan"):
            if (nz, height) != (self.shape[1], self.cell[0]):
                raise ValueError("slices must be rows")
            self.middle[2] = height * (0.5 * (nz - 1) - self.center_row)
        if self.kind == "modular":
            self.voxel[2] = width  # It forces cubes.

    def set_diameterFOV(self, diameter):
        self.field_radius = diameter / 2

    def allocateProjections(self):
        return np.zeros(self.shape, np.float32)

    def seen_radius(self, across):
        """Returns how far from the axis voxels are projected (rFOV)."""
        if self.field_radius > 0 or self.kind == "modular":
            return self.field_radius or np.inf
        least = min(abs(across[0]), abs(across[-1]))
        if self.kind == "parallel":
            return least
        return self.sod * np.sin(least if self.is_curved else np.arctan(least))

    def project(self, found, mu):
        views, rows, columns = self.shape
        up = (np.arange(rows) - self.center_row) * self.cell[0]
        across = (np.arange(columns) - self.center_col) * self.cell[1]
        if self.kind in ("fan", "cone"):
            up, across = up / self.sdd, across / self.sdd
        low = [m - 0.5 * n * d for m, n, d in zip(self.middle, self.size, self.voxel)]
        x, y = [l + (np.arange(n) + 0.5) * d for l, n, d in zip(low, self.size, self.voxel)][:2]
        mu = mu * (np.hypot(x[None, :], y[:, None]) <= self.seen_radius(across) + 1e-3)
        up, across = up[None, :, None, None], across[None, None, :, None]
        if self.kind == "modular":
            source, center, row, column = [v[:, None, None, :] for v in self.vectors]
            cells = center + across * column + up * row
            found[:] = rays.project(mu, self.voxel, low, self.vectors[0], cells)
            return
        cos, sin, none = np.cos(self.phis), np.sin(self.phis), 0 * self.phis
        theta = np.stack([cos, sin, none], 1)
        beside = np.stack([-sin, cos, none], 1)[:, None, None]
        if self.kind == "parallel":
            cells = across * beside + up * [0, 0, 1]
            found[:] = rays.project(mu, self.voxel, low, -theta, cells, True)
            return
        sources = self.sod * theta
        middle = 0.5 * (self.phis[0] + self.phis[-1])
        sources[:, 2] = self.helical_pitch * (self.phis - middle)
        if self.is_curved:
            level = np.sin(across) * beside - np.cos(across) * theta[:, None, None]
        else:
            level = across * beside - theta[:, None, None]
        if self.kind == "cone":
            cells = sources[:, None, None] + level + up * [0, 0, 1]
            found[:] = rays.project(mu, self.voxel, low, sources, cells)
            return
        for row in range(rows):
            part = mu[row:row + 1]
            found[:, row:row + 1] = rays.project(part, self.voxel, (*low[:2], -self.voxel[2] / 2),
                                                 sources, sources[:, None, None] + level)
