#pragma once

// The q-GGMRF prior of a single voxel; see core/priors/qggmrf.hpp for the formulas.
#include "core/priors/qggmrf.hpp"
#include "gpu/device/host_device.hpp"

#include <cstddef>

namespace gantry::device {

/// Offset from a voxel to a neighbour, in voxels, and the weight b_jk of the pair. The opposite
/// neighbour has the same weight.
struct QggmrfPair {
  int dx, dy, dz;
  float weight;
};

/// Parameters of the prior: volume size, 1 / edge (mm), 2 - q, q / 2, and the neighbour pairs (4
/// for a single slice, otherwise 13).
struct QggmrfField {
  int nx, ny, nz;
  float inverse_edge, exponent, half_q;
  QggmrfPair pair[13];
};

GANTRY_HD float qggmrf_ratio(const QggmrfField& field, float t) {
  const float x = clamped(fabsf(t) * field.inverse_edge, 1e-30F, 1e30F);
  return exp2f(field.exponent * log2f(x));
}
GANTRY_HD float qggmrf_potential(const QggmrfField& field, float t) {
  return 0.5F * t * t / (1.0F + qggmrf_ratio(field, t));
}
GANTRY_HD float qggmrf_influence(const QggmrfField& field, float t) {
  const float u = qggmrf_ratio(field, t), below = 1.0F / (1.0F + u);
  return fmaf(field.half_q, u, 1.0F) * below * below;
}

GANTRY_HD std::size_t qggmrf_voxel(const QggmrfField& field, int ix, int iy, int iz) {
  return (static_cast<std::size_t>(iz) * field.ny + iy) * field.nx + ix;
}
/// Returns the memory offset from a voxel to its neighbour at `sign` times the pair's offset.
GANTRY_HD std::ptrdiff_t qggmrf_offset(const QggmrfField& field, const QggmrfPair& pair, int sign) {
  return sign * ((static_cast<std::ptrdiff_t>(pair.dz) * field.ny + pair.dy) * field.nx + pair.dx);
}
GANTRY_HD bool qggmrf_inside(const QggmrfField& field, const QggmrfPair& pair, int sign, int ix,
                             int iy, int iz) {
  return static_cast<unsigned>(ix + sign * pair.dx) < static_cast<unsigned>(field.nx) &&
         static_cast<unsigned>(iy + sign * pair.dy) < static_cast<unsigned>(field.ny) &&
         static_cast<unsigned>(iz + sign * pair.dz) < static_cast<unsigned>(field.nz);
}

/// An element of grad R, and the curvature of the separable parabola that bounds R from above.
struct QggmrfSlope {
  float slope, curvature;
};
template <int Pairs>
GANTRY_HD QggmrfSlope qggmrf_gradient(const QggmrfField& field, const float* x, int ix, int iy,
                                      int iz) {
  const float* at = x + qggmrf_voxel(field, ix, iy, iz);
  const float mine = load(at);
  QggmrfSlope sum{0, 0};
  for (int k = 0; k < Pairs; ++k)
    for (int sign = -1; sign <= 1; sign += 2) {
      const QggmrfPair& pair = field.pair[k];
      if (!qggmrf_inside(field, pair, sign, ix, iy, iz)) continue;
      const float t = mine - load(at + qggmrf_offset(field, pair, sign)),
                  pull = pair.weight * qggmrf_influence(field, t);
      sum.slope = fmaf(pull, t, sum.slope);
      sum.curvature += pull;
    }
  sum.curvature *= 2.0F;
  return sum;
}

/// Returns the contribution of the pairs that begin at a voxel to slope and curvature of R at
/// x + a d, along d.
template <int Pairs>
GANTRY_HD QggmrfSlope qggmrf_along(const QggmrfField& field, const float* x, const float* d,
                                   float a, int ix, int iy, int iz) {
  const std::size_t voxel = qggmrf_voxel(field, ix, iy, iz);
  const float mine = load(x + voxel), step = load(d + voxel);
  QggmrfSlope sum{0, 0};
  for (int k = 0; k < Pairs; ++k) {
    const QggmrfPair& pair = field.pair[k];
    if (!qggmrf_inside(field, pair, 1, ix, iy, iz)) continue;
    const std::ptrdiff_t offset = qggmrf_offset(field, pair, 1);
    const float change = step - load(d + voxel + offset),
                t = fmaf(a, change, mine - load(x + voxel + offset)),
                pull = pair.weight * qggmrf_influence(field, t) * change;
    sum.slope = fmaf(pull, t, sum.slope);
    sum.curvature = fmaf(pull, change, sum.curvature);
  }
  return sum;
}

/// Returns the contribution of the pairs that begin at a voxel to R.
template <int Pairs>
GANTRY_HD float qggmrf_value(const QggmrfField& field, const float* x, int ix, int iy, int iz) {
  const float* at = x + qggmrf_voxel(field, ix, iy, iz);
  const float mine = load(at);
  float sum = 0;
  for (int k = 0; k < Pairs; ++k) {
    const QggmrfPair& pair = field.pair[k];
    if (!qggmrf_inside(field, pair, 1, ix, iy, iz)) continue;
    const float t = mine - load(at + qggmrf_offset(field, pair, 1));
    sum = fmaf(pair.weight, qggmrf_potential(field, t), sum);
  }
  return sum;
}

}  // namespace gantry::device

namespace gantry {

/// Returns the parameters of the prior in the form that the kernels use.
inline device::QggmrfField qggmrf_field(const VolumeGrid& grid, const QggmrfShape& shape) {
  device::QggmrfField field{};
  field.nx = grid.nx;
  field.ny = grid.ny;
  field.nz = grid.nz;
  field.inverse_edge = static_cast<float>(1 / shape.edge);
  field.exponent = static_cast<float>(2 - shape.q);
  field.half_q = static_cast<float>(shape.q / 2);
  std::size_t k = 0;
  for (const NeighbourPair& pair : neighbour_pairs(grid))
    field.pair[k++] = {pair.dx, pair.dy, pair.dz, static_cast<float>(pair.weight)};
  return field;
}

}  // namespace gantry
