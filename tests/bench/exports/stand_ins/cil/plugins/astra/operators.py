"""Stands in for CIL's ProjectionOperator with ASTRA, after its conversions of geometries.

Those are convert_geometry_to_astra_vec_2D.py and _3D.py in cil/plugins/astra/utilities of
github.com/TomographicImaging/CIL. ASTRA's vectors are projected by rays."""
import numpy as np
import rays
from cil.framework import ASTRA_ORDER, Container


def turned(vector, angle):
    c, s = np.cos(angle), np.sin(angle)
    turn = np.eye(len(vector))
    turn[:2, :2] = [[c, -s], [s, c]]
    return turn @ vector


class ProjectionOperator:
    def __init__(self, image, data, device):
        if data.labels != [label for label in ASTRA_ORDER if label in data.labels]:
            raise ValueError("wrong order of dimensions for ASTRA")
        if not data.is_flat and device != "gpu":
            raise NotImplementedError("Cannot process 3D data without a GPU")
        self.image, self.data = image, data
        self.is_turned_over = data.is_flat and device == "cpu"

    def domain_geometry(self):
        return self.image

    def range_geometry(self):
        return self.data

    def vectors(self):
        """Returns source or ray, detector, steps to the next column and row, [view][3] each."""
        data = self.data
        steps = [size * direction for size, direction in zip(data.cell_mm, data.directions)]
        if data.kind == "flexible":
            return data.source, data.detector, *steps
        base, sign = [data.source, data.detector, *steps], -1
        if data.kind == "cone":  # align_reference_frame
            along = data.detector - data.source
            base = [turned(v, np.arctan2(along[0], along[1])) for v in base]
        if self.is_turned_over:
            # The world is turned over in y, but neither the detector's direction nor the image.
            base, sign = [base[0] * [1, -1], base[1] * [1, -1], base[2]], 1
        return [np.array([turned(v, sign * angle) for angle in data.angles]) for v in base]

    def direct(self, volume):
        image, data = self.image, self.data
        mu = volume.as_array().reshape([max(n, 1) for n in image.size[::-1]])
        low, spacing = list(image.low), list(image.spacing)
        parts = self.vectors()
        if self.is_turned_over:
            mu = mu[:, ::-1]  # ASTRA's images begin with their highest y.
        if data.is_flat:
            low[2], spacing[2] = -0.5, 1
            parts = [np.pad(part, ((0, 0), (0, 1))) for part in parts]
            parts.append(np.tile([0.0, 0, 1], (len(parts[0]), 1)))
        source, detector, across, up = [np.asarray(part)[:, None, None] for part in parts]
        columns, rows = [np.arange(n) - 0.5 * (n - 1) for n in data.cells]
        cells = detector + columns[None, None, :, None] * across + rows[None, :, None, None] * up
        found = rays.project(mu, spacing, low, source[:, 0, 0], cells, data.kind == "parallel")
        out = Container(data)
        out.fill(found.transpose(1, 0, 2).reshape(out.shape))
        return out
