"""Stands in for CIL's geometries and containers, as far as exported scripts use them."""
import copy
import numpy as np

ASTRA_ORDER = ["vertical", "angle", "projection", "horizontal"]


def unit(vector):
    vector = np.array(vector, float)
    return vector / np.linalg.norm(vector)


class Container:
    def __init__(self, geometry):
        self.geometry, self.array = geometry, np.zeros(geometry.shape, np.float32)

    @property
    def shape(self):
        return self.array.shape

    def reorder(self, order):
        self.geometry = copy.copy(self.geometry)
        self.geometry.labels = [label for label in ASTRA_ORDER if label in self.geometry.labels]
        self.array = np.zeros(self.geometry.shape, np.float32)

    def fill(self, array):
        if array.shape != self.shape:
            raise ValueError(f"shape {array.shape} into {self.shape}")
        self.array[:] = array

    def as_array(self):
        return self.array


class ImageGeometry:
    def __init__(self, nx, ny, nz, dx, dy, dz, x=0, y=0, z=0):
        self.size, self.spacing, self.middle = (nx, ny, nz), (dx, dy, dz), (x, y, z)

    @property
    def shape(self):
        return tuple(n for n in self.size[::-1] if n > 1)

    @property
    def low(self):
        return [m - 0.5 * n * d for m, n, d in zip(self.middle, self.size, self.spacing)]

    def allocate(self, value):
        return Container(self)


class AcquisitionGeometry:
    def __init__(self, kind, source, detector, *directions):
        self.kind, self.source, self.detector = kind, np.array(source, float), np.array(detector)
        self.directions = [np.array(d, float) for d in directions]
        flexible = kind == "flexible"
        if flexible:
            self.directions = [np.array([unit(v) for v in d]) for d in self.directions]
            if not np.allclose(np.sum(self.directions[0] * self.directions[1], 1), 0):
                raise ValueError("directions must be orthogonal")
        self.is_flat = len(directions) == 1
        self.angles = np.zeros(len(source)) if flexible else None
        self.labels = ["projection" if flexible else "angle"] \
            + ([] if self.is_flat else ["vertical"]) + ["horizontal"]

    @staticmethod
    def create_Parallel2D(ray_direction, detector_position, detector_direction_x):
        return AcquisitionGeometry("parallel", unit(ray_direction), detector_position,
                                   detector_direction_x)

    @staticmethod
    def create_Cone2D(source_position, detector_position, detector_direction_x):
        return AcquisitionGeometry("cone", source_position, detector_position,
                                   detector_direction_x)

    @staticmethod
    def create_Cone3D(source_position, detector_position, detector_direction_x,
                      detector_direction_y):
        return AcquisitionGeometry("cone", source_position, detector_position,
                                   detector_direction_x, detector_direction_y)

    @staticmethod
    def create_Cone3D_Flex(source_position_set, detector_position_set, detector_direction_x_set,
                           detector_direction_y_set):
        return AcquisitionGeometry("flexible", source_position_set, detector_position_set,
                                   detector_direction_x_set, detector_direction_y_set)

    def set_panel(self, num_pixels, pixel_size):
        self.cells = (num_pixels, 1) if np.isscalar(num_pixels) else num_pixels
        self.cell_mm = (pixel_size,) * 2 if np.isscalar(pixel_size) else pixel_size
        return self

    def set_angles(self, angles, angle_unit):
        self.angles = np.radians(np.array(angles, np.float32), dtype=float)
        return self

    @property
    def shape(self):
        sizes = {"vertical": self.cells[1], "horizontal": self.cells[0]}
        counts = [sizes.get(label, len(self.angles)) for label in self.labels]
        return tuple(n for n in counts if n > 1)

    def allocate(self, value):
        return Container(self)
