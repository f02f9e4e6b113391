#pragma once

// Total variation voxel by voxel; see core/priors/total_variation.hpp for the formulas. In
// the order of the CPU's operations, so that results are the same to the bit.
#include "gpu/device/host_device.hpp"

namespace gantry::device {

/// Sizes and weights of the differences. Dual vectors lie axis after axis.
struct TvField {
  int nx, ny, nz, axes;
  float weight[3];
};

GANTRY_HD std::size_t tv_voxels(const TvField& field) {
  return static_cast<std::size_t>(field.nx) * field.ny * field.nz;
}
GANTRY_HD std::size_t tv_voxel(const TvField& field, int ix, int iy, int iz) {
  return (static_cast<std::size_t>(iz) * field.ny + iy) * field.nx + ix;
}

/// An axis as a voxel sees it: the way to the next voxel, and whether there is one on either side.
struct TvAxis {
  std::size_t stride;
  bool has_next, has_previous;
};
GANTRY_HD TvAxis tv_axis(const TvField& field, int axis, int ix, int iy, int iz) {
  const auto row = static_cast<std::size_t>(field.nx);
  if (axis == 0) return {1, ix + 1 < field.nx, ix > 0};
  if (axis == 1) return {row, iy + 1 < field.ny, iy > 0};
  return {row * field.ny, iz + 1 < field.nz, iz > 0};
}

/// (grad x)_a; `at` points to the voxel.
GANTRY_HD float tv_difference(const TvField& field, int axis, const float* at, int ix, int iy,
                              int iz) {
  const TvAxis a = tv_axis(field, axis, ix, iy, iz);
  return a.has_next ? field.weight[axis] * (load(at + a.stride) - load(at)) : 0.0F;
}

GANTRY_HD float tv_divergence(const TvField& field, const float* p, int ix, int iy, int iz) {
  const float* at = p + tv_voxel(field, ix, iy, iz);
  const TvAxis x = tv_axis(field, 0, ix, iy, iz);
  const float here = x.has_next ? load(at) : 0.0F, before = x.has_previous ? load(at - 1) : 0.0F;
  float sum = field.weight[0] * (here - before);
  for (int axis = 1; axis < field.axes; ++axis) {
    at += tv_voxels(field);
    const TvAxis a = tv_axis(field, axis, ix, iy, iz);
    if (a.has_next) sum += field.weight[axis] * load(at);
    if (a.has_previous) sum -= field.weight[axis] * load(at - a.stride);
  }
  return sum;
}

/// max(v + w div p, low) at a voxel.
GANTRY_HD float tv_primal(const TvField& field, const float* v, float weight, float low,
                          const float* p, int ix, int iy, int iz) {
  const float value =
      load(v + tv_voxel(field, ix, iy, iz)) + weight * tv_divergence(field, p, ix, iy, iz);
  return value < low ? low : value;
}

/// p' = P(r + step grad z), r = p' + momentum (p' - p), p = p' at a voxel.
GANTRY_HD void tv_ascend(const TvField& field, const float* z, float step, float momentum, float* p,
                         float* r, int ix, int iy, int iz) {
  const std::size_t voxel = tv_voxel(field, ix, iy, iz), voxels = tv_voxels(field);
  float q[3] = {0, 0, 0}, square = 0;
  for (int axis = 0; axis < field.axes; ++axis) {
    q[axis] = r[axis * voxels + voxel] + step * tv_difference(field, axis, z + voxel, ix, iy, iz);
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

/// |grad x| at a voxel.
GANTRY_HD float tv_length(const TvField& field, const float* x, int ix, int iy, int iz) {
  const float* at = x + tv_voxel(field, ix, iy, iz);
  float square = 0;
  for (int axis = 0; axis < field.axes; ++axis) {
    const float g = tv_difference(field, axis, at, ix, iy, iz);
    square += g * g;
  }
  return sqrtf(square);
}

}  // namespace gantry::device
