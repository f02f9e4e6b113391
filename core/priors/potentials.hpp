#pragma once

#include "core/base/host_device.hpp"

#include <cmath>
#include <cstddef>

namespace gantry {

// Potentials h of a gradient's magnitude t >= 0 (1/mm) at voxel j, and their influence h'(t) / t.
// The influence decreases with t, so that the parabola of that curvature that touches h at t lies
// nowhere below h. `edge` is the constant of DualProjection, for those that have a proximal map.

/// h(t) = t: total variation. It has no gradient at 0.
struct LinearPotential {
  static constexpr float edge = 0;
  GANTRY_HD float value(float t, std::size_t) const { return t; }
  GANTRY_HD float influence(float t, std::size_t) const { return 1.0F / fmaxf(t, 1e-20F); }
};

/// h(t) = sqrt(t^2 + smoothing^2) - smoothing: total variation, smoothed so that it has a gradient.
struct SmoothedPotential {
  static constexpr float edge = 0;
  float smoothing;  ///< 1/mm
  GANTRY_HD float value(float t, std::size_t) const {
    // Written as a quotient, so that small t do not cancel.
    return t * t / (sqrtf(t * t + smoothing * smoothing) + smoothing);
  }
  GANTRY_HD float influence(float t, std::size_t) const {
    return 1.0F / sqrtf(t * t + smoothing * smoothing);
  }
};

/// Huber's function (Ann. Math. Statist. 35 (1964) 73): t^2 / (2 edge) below the edge, t - edge / 2
/// above it.
struct HuberPotential {
  float edge;  ///< 1/mm
  GANTRY_HD float value(float t, std::size_t) const {
    return t <= edge ? 0.5F * t * t / edge : t - 0.5F * edge;
  }
  GANTRY_HD float influence(float t, std::size_t) const { return 1.0F / fmaxf(t, edge); }
};

/// Tikhonov's potential h(t) = t^2 / 2.
struct QuadraticPotential {
  static constexpr float edge = 0;
  GANTRY_HD float value(float t, std::size_t) const { return 0.5F * t * t; }
  GANTRY_HD float influence(float, std::size_t) const { return 1.0F; }
};

/// h(t) = min(t^2, threshold^2) / 2: the weak membrane of Blake and Zisserman, Visual
/// Reconstruction (1987), chapter 3, which is the Mumford-Shah functional with its edges
/// eliminated. It is not convex.
struct TruncatedPotential {
  static constexpr float edge = 0;
  float threshold;  ///< 1/mm
  GANTRY_HD float value(float t, std::size_t) const {
    const float low = fminf(t, threshold);
    return 0.5F * low * low;
  }
  GANTRY_HD float influence(float t, std::size_t) const { return t <= threshold ? 1.0F : 0.0F; }
};

/// h(t) = v_j^2 t^2 / 2 with an edge field v in [0, 1]: 0 on edges, 1 inside regions.
struct EdgeFieldPotential {
  static constexpr float edge = 0;
  const float* v;  ///< [voxel]
  GANTRY_HD float value(float t, std::size_t voxel) const {
    return 0.5F * influence(t, voxel) * t * t;
  }
  GANTRY_HD float influence(float, std::size_t voxel) const {
    const float here = device::load(v + voxel);
    return here * here;
  }
};

}  // namespace gantry
