#pragma once

// Priors of the gradient's magnitude, R(x) = sum_j h(|(grad x)_j|), at a single voxel, for the CPU
// and for GPUs; see magnitude_prior.hpp and dual_projection.hpp for the formulas. The operations of
// the proximal map have the order of the CPU's loops over lines, so that results are equal bit for
// bit.
#include "core/base/host_device.hpp"
#include "core/priors/differences.hpp"
#include "core/priors/potentials.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace gantry::device {

/// Volume size, number of axes with differences (2 or 3) and weights c_a of the differences. Dual
/// vectors are stored axis after axis: [axis][iz][iy][ix].
struct MagnitudeField {
  int nx, ny, nz, axes;
  float weight[3];
};

GANTRY_HD std::size_t magnitude_voxels(const MagnitudeField& field) {
  return static_cast<std::size_t>(field.nx) * field.ny * field.nz;
}
GANTRY_HD std::size_t magnitude_voxel(const MagnitudeField& field, int ix, int iy, int iz) {
  return (static_cast<std::size_t>(iz) * field.ny + iy) * field.nx + ix;
}

/// An axis at a given voxel: memory offset to the next voxel, and whether next and previous voxel
/// exist.
struct MagnitudeAxis {
  std::size_t stride;
  bool has_next, has_previous;
};
GANTRY_HD MagnitudeAxis magnitude_axis(const MagnitudeField& field, int axis, int ix, int iy,
                                       int iz) {
  const auto row = static_cast<std::size_t>(field.nx);
  if (axis == 0) return {1, ix + 1 < field.nx, ix > 0};
  if (axis == 1) return {row, iy + 1 < field.ny, iy > 0};
  return {row * field.ny, iz + 1 < field.nz, iz > 0};
}

/// Returns (grad x)_a; `at` points to the voxel.
GANTRY_HD float magnitude_difference(const MagnitudeField& field, int axis, const float* at, int ix,
                                     int iy, int iz) {
  const MagnitudeAxis a = magnitude_axis(field, axis, ix, iy, iz);
  return a.has_next ? field.weight[axis] * (load(at + a.stride) - load(at)) : 0.0F;
}

GANTRY_HD float magnitude_divergence(const MagnitudeField& field, const float* p, int ix, int iy,
                                     int iz) {
  const float* at = p + magnitude_voxel(field, ix, iy, iz);
  const MagnitudeAxis x = magnitude_axis(field, 0, ix, iy, iz);
  const float here = x.has_next ? load(at) : 0.0F, before = x.has_previous ? load(at - 1) : 0.0F;
  float sum = field.weight[0] * (here - before);
  for (int axis = 1; axis < field.axes; ++axis) {
    at += magnitude_voxels(field);
    const MagnitudeAxis a = magnitude_axis(field, axis, ix, iy, iz);
    if (a.has_next) sum += field.weight[axis] * load(at);
    if (a.has_previous) sum -= field.weight[axis] * load(at - a.stride);
  }
  return sum;
}

/// Returns max(v + weight div p, low) at a voxel.
GANTRY_HD float magnitude_primal(const MagnitudeField& field, const float* v, float weight,
                                 float low, const float* p, int ix, int iy, int iz) {
  const float value = load(v + magnitude_voxel(field, ix, iy, iz)) +
                      weight * magnitude_divergence(field, p, ix, iy, iz);
  return value < low ? low : value;
}

/// Computes p' = P(keep r + step grad z), r = p' + momentum (p' - p) and p = p' at a voxel, P the
/// projection on |p| <= 1.
GANTRY_HD void magnitude_ascend(const MagnitudeField& field, const float* z, float step, float keep,
                                float momentum, float* p, float* r, int ix, int iy, int iz) {
  const std::size_t voxel = magnitude_voxel(field, ix, iy, iz), voxels = magnitude_voxels(field);
  float q[3] = {0, 0, 0}, square = 0;
  for (int axis = 0; axis < field.axes; ++axis) {
    q[axis] = keep * r[axis * voxels + voxel] +
              step * magnitude_difference(field, axis, z + voxel, ix, iy, iz);
    square += q[axis] * q[axis];
  }
  const float shrink = 1.0F / sqrtf(square < 1.0F ? 1.0F : square);
  for (int axis = 0; axis < field.axes; ++axis) {
    const std::size_t j = axis * voxels + voxel;
    const float projected = q[axis] * shrink;
    r[j] = projected + momentum * (projected - p[j]);
    p[j] = projected;
  }
}

/// The differences of an image at a voxel, and their magnitude.
struct MagnitudeGradient {
  float g[3], magnitude;
};
GANTRY_HD MagnitudeGradient magnitude_gradient_at(const MagnitudeField& field, const float* x,
                                                  int ix, int iy, int iz) {
  const float* at = x + magnitude_voxel(field, ix, iy, iz);
  MagnitudeGradient found{{0, 0, 0}, 0};
  float square = 0;
  for (int axis = 0; axis < field.axes; ++axis) {
    found.g[axis] = magnitude_difference(field, axis, at, ix, iy, iz);
    square += found.g[axis] * found.g[axis];
  }
  found.magnitude = sqrtf(square);
  return found;
}

/// An element of grad R, and the curvature of the separable parabola that bounds R from above, if
/// all voxels change (half of it does if no two neighbours change); or the contribution of a voxel
/// to slope and curvature along a search direction.
struct MagnitudeSlope {
  float slope, curvature;
};

/// Returns the element of a voxel. It depends on the differences from this voxel to the next ones,
/// and on those from the previous voxel along each axis to this one.
template <class Potential>
GANTRY_HD MagnitudeSlope magnitude_slope(const MagnitudeField& field, const Potential& potential,
                                         const float* x, int ix, int iy, int iz) {
  const MagnitudeGradient here = magnitude_gradient_at(field, x, ix, iy, iz);
  const float w = potential.influence(here.magnitude, magnitude_voxel(field, ix, iy, iz));
  MagnitudeSlope sum{0, 0};
  for (int axis = 0; axis < field.axes; ++axis) {
    const MagnitudeAxis a = magnitude_axis(field, axis, ix, iy, iz);
    const float c = field.weight[axis];
    if (a.has_next) {
      sum.slope -= c * w * here.g[axis];
      sum.curvature += 2.0F * c * c * w;
    }
    if (!a.has_previous) continue;
    const int bx = ix - (axis == 0), by = iy - (axis == 1), bz = iz - (axis == 2);
    const MagnitudeGradient before = magnitude_gradient_at(field, x, bx, by, bz);
    const float w_before =
        potential.influence(before.magnitude, magnitude_voxel(field, bx, by, bz));
    sum.slope += c * w_before * before.g[axis];
    sum.curvature += 2.0F * c * c * w_before;
  }
  return sum;
}

/// Returns the contribution of a voxel to slope and curvature of R at x + a d, along d.
template <class Potential>
GANTRY_HD MagnitudeSlope magnitude_along(const MagnitudeField& field, const Potential& potential,
                                         const float* x, const float* d, float a, int ix, int iy,
                                         int iz) {
  const MagnitudeGradient gx = magnitude_gradient_at(field, x, ix, iy, iz),
                          gd = magnitude_gradient_at(field, d, ix, iy, iz);
  float square = 0, along = 0, across = 0;
  for (int axis = 0; axis < field.axes; ++axis) {
    const float g = gx.g[axis] + a * gd.g[axis];
    square += g * g;
    along += g * gd.g[axis];
    across += gd.g[axis] * gd.g[axis];
  }
  const float w = potential.influence(sqrtf(square), magnitude_voxel(field, ix, iy, iz));
  return {w * along, w * across};
}

}  // namespace gantry::device

namespace gantry {

/// Returns the parameters of the differences in the form that the kernels use.
inline device::MagnitudeField magnitude_field(const VolumeGrid& grid) {
  device::MagnitudeField field{grid.nx, grid.ny, grid.nz, difference_axes(grid), {}};
  std::ranges::transform(difference_weights(grid), field.weight,
                         [](double weight) { return static_cast<float>(weight); });
  return field;
}

}  // namespace gantry
