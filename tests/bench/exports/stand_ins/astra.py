"""Stands in for ASTRA's FP3D_CUDA, after the sources of release 2.5 of astra-toolbox.

Of arc detectors these are cone_cyl.cu, GeometryUtil3D.cpp, CylConeVecProjectionGeometry3D.cpp and,
for the slices that are left out, CompositeGeometryManager.cpp of github.com/astra-toolbox. Of flat
detectors ASTRA leaves out no slice that they see. Stacks of slices are for ASTRA itself to project:
it needs no CUDA for them."""
import types

import numpy as np
import rays


class Cylinder:
    """The detector of a view of cyl_cone_vec (getCylConeAxes)."""

    def __init__(self, numbers):
        self.source, middle, self.u, self.v = numbers[:12].reshape(4, 3)
        self.step = np.linalg.norm(self.u) / numbers[12]
        self.outwards = -np.cross(self.u, self.v)
        self.outwards *= numbers[12] / np.linalg.norm(self.outwards)
        towards_source = middle - self.outwards - self.source
        if np.linalg.norm(towards_source) > np.linalg.norm(towards_source + 2 * self.outwards):
            self.outwards = -self.outwards
        self.centre, self.along = middle - self.outwards, self.u / self.step

    def at(self, angle):
        angle = np.asarray(angle)[..., None]
        return self.centre + np.cos(angle) * self.outwards + np.sin(angle) * self.along

    def cells(self, rows, columns):
        """Returns [row][column][3]."""
        up = (np.arange(rows) - 0.5 * (rows - 1))[:, None, None] * self.v
        return self.at(self.step * (np.arange(columns) - 0.5 * (columns - 1))) + up

    def angle_of(self, point):
        """Returns where the ray through a point meets the detector (projectPoint)."""
        unit = np.stack([self.outwards, self.along]) * self.step / np.linalg.norm(self.u)
        ray, start = unit @ (point - self.source), unit @ (self.source - self.centre)
        radius = np.linalg.norm(self.u) / self.step
        square, half = ray @ ray, ray @ start
        t = (-half + np.sqrt(half * half - square * (start @ start - radius * radius))) / square
        return np.arcsin((start + t * ray)[1] / radius)

    def rows_of(self, corners, rows, columns):
        """Returns the first and last row of a box in ASTRA's opinion (getProjectedBBoxSingleAngle):
        a height on the detector is taken for the number of a row."""
        first = -0.5 * (columns - 1) * self.step
        places = self.at(np.clip([first, *[self.angle_of(p) for p in corners]],
                                 -np.pi / 2, np.pi / 2))
        ray = places[0] - self.centre
        ray /= np.linalg.norm(ray)
        depths = (places - self.source) @ ray
        from_source = corners - self.source
        slopes = from_source @ self.v / np.linalg.norm(self.v) / (from_source @ ray)
        heights = np.outer([depths.min(), depths[0]], slopes) + 0.5 * (rows - 1)
        return heights.min(), heights.max()


def seen_slices(cylinders, rows, columns, volume):
    """Returns the slices from first to last that are projected (reduceVolumePart)."""
    def range_of(first, last):
        spare = 0.5 * volume.spacing
        low = volume.low + [0, 0, first * volume.spacing[2]] - spare
        high = np.array([*volume.high[:2], volume.low[2] + last * volume.spacing[2]]) + spare
        corners = np.array(np.meshgrid(*np.stack([low, high], 1))).reshape(3, 8).T
        ranges = np.array([c.rows_of(corners, rows, columns) for c in cylinders])
        return max(ranges[:, 0].min(), -1), min(ranges[:, 1].max(), rows)

    def is_unseen(first, last):
        low, high = range_of(first, last)
        return low >= high or low >= seen[1] or high <= seen[0]

    count = volume.shape[0]
    seen = range_of(0, count)
    top = max(k for k in range(count) if k == 0 or is_unseen(0, k))
    bottom = min(k for k in range(top + 1, count + 1) if k == count or is_unseen(k, count))
    return max(top - 1, 0), min(bottom + 1, count)


def create_vol_geom(ny, nx, nz, *limits):
    low, high = np.array(limits).reshape(3, 2).T
    return types.SimpleNamespace(shape=(nz, ny, nx), low=low, high=high,
                                 spacing=(high - low) / [nx, ny, nz])


def create_proj_geom(kind, rows, columns, vectors=None):
    if vectors is None:
        raise NotImplementedError("the stand-in projects volumes, not slices")
    return types.SimpleNamespace(kind=kind, rows=rows, columns=columns, vectors=vectors)


def create_sino3d_gpu(mu, geometry, volume):
    if mu.shape != volume.shape:
        raise ValueError("The dimensions of the data do not match those specified in the geometry.")
    rows, columns = geometry.rows, geometry.columns
    if geometry.kind == "cyl_cone_vec":
        cylinders = [Cylinder(numbers) for numbers in geometry.vectors]
        first, last = seen_slices(cylinders, rows, columns, volume)
        mu = np.pad(mu[first:last], ((first, len(mu) - last), (0, 0), (0, 0)))
        cells = np.stack([c.cells(rows, columns) for c in cylinders])
    elif geometry.kind in ("cone_vec", "parallel3d_vec"):
        middle, u, v = geometry.vectors.reshape(-1, 4, 1, 1, 3)[:, 1:].swapaxes(0, 1)
        cells = (middle + (np.arange(columns) - 0.5 * (columns - 1))[:, None] * u
                 + (np.arange(rows) - 0.5 * (rows - 1))[:, None, None] * v)
    else:
        raise NotImplementedError("the stand-in does not know " + geometry.kind)
    found = rays.project(mu, volume.spacing, volume.low, geometry.vectors[:, :3], cells,
                         geometry.kind == "parallel3d_vec")
    return 0, found.transpose(1, 0, 2)


data3d = types.SimpleNamespace(delete=lambda data: None)
