"""Line integrals through voxels: the exact lengths of rays in them."""
import numpy as np


def line_integrals(mu, spacing, low, points, directions):
    """Returns the integrals of mu [z][y][x] along lines.

    spacing, low: of x, y and z, the first corner of the volume; points, directions: [...][3]."""
    directions = directions / np.linalg.norm(directions, axis=-1, keepdims=True)
    crossings, begin, end = [], -np.inf, np.inf
    for axis, count in enumerate(mu.shape[::-1]):
        along = directions[..., axis, None]
        along = np.where(np.abs(along) < 1e-12, 1e-12, along)
        planes = low[axis] + spacing[axis] * np.arange(count + 1)
        at = (planes - points[..., axis, None]) / along
        crossings.append(at)
        begin = np.maximum(begin, np.minimum(at[..., 0], at[..., -1]))
        end = np.minimum(end, np.maximum(at[..., 0], at[..., -1]))
    end = np.maximum(begin, end)
    at = np.sort(np.clip(np.concatenate(crossings, -1), begin[..., None], end[..., None]), -1)
    middle = 0.5 * (at[..., 1:] + at[..., :-1])
    index = []
    for axis, count in enumerate(mu.shape[::-1]):
        where = points[..., axis, None] + middle * directions[..., axis, None] - low[axis]
        index.append(np.clip((where / spacing[axis]).astype(int), 0, count - 1))
    return np.sum(mu[index[2], index[1], index[0]] * np.diff(at, axis=-1), -1)


def project(mu, spacing, low, sources, cells, is_parallel=False):
    """Returns projections [view][row][column], float32.

    sources: [view][3], of a parallel beam the direction of the rays; cells: where the centres of
    the detector's cells are, [view][row][column][3]."""
    found = np.zeros(cells.shape[:3], np.float32)
    for view, (source, cell) in enumerate(zip(sources, cells)):
        directions = np.broadcast_to(source, cell.shape) if is_parallel else cell - source
        points = cell if is_parallel else np.broadcast_to(source, cell.shape)
        found[view] = line_integrals(mu, spacing, low, points, directions)
    return found
