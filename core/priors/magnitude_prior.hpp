#pragma once

#include "core/base/error.hpp"
#include "core/priors/differences.hpp"
#include "core/priors/dual_projection.hpp"
#include "core/priors/image_lines.hpp"
#include "core/priors/magnitude_model.hpp"
#include "core/priors/potentials.hpp"

#include <algorithm>
#include <cmath>
#include <string>

namespace gantry {

/// R(x) = sum_j h(|(grad x)_j|) in the memory of the CPU, with h one of the potentials. Its
/// gradient is -div(influence grad x). With w the influences at x,
///   R(y) <= R(x) + <grad R(x), y - x> + 1/2 sum_j w_j |(grad (y - x))_j|^2,
/// and (a - b)^2 <= 2 a^2 + 2 b^2 makes the bound separable.
template <class Potential>
class MagnitudePrior final : public DualProjection {
 public:
  /// Throws UsageError on a backend other than the CPU; `label` is the subject of the message.
  MagnitudePrior(const PriorTraits& traits, Backend& backend, const VolumeGrid& grid,
                 Potential potential, const std::string& label)
      : DualProjection(traits, backend, grid, static_cast<double>(potential.edge)),
        d_(grid),
        field_(magnitude_field(grid)),
        potential_(potential) {
    if (backend.kind() != BackendKind::cpu)
      throw UsageError(label + " is not made for this device", "backend", "use cpu");
  }

  double value(const Array& x) const override {
    const std::size_t nx = d_.line_length();
    const float* image = x.host().data();
    return sum_image_lines<double>(d_.lines(), 3 * nx, [&](std::size_t line, float* g) {
      d_.gradient_line(image, line, g);
      double sum = 0;
#pragma omp simd reduction(+ : sum)
      for (std::size_t i = 0; i < nx; ++i)
        sum += static_cast<double>(potential_.value(magnitude(g, nx, i), line * nx + i));
      return sum;
    });
  }

 private:
  /// Works line by line. The previous lines along y and z are computed a second time, since their
  /// differences involve this line.
  void do_gradient(const Array& x, Array& slope, Array& curvature) const override {
    const std::size_t nx = d_.line_length();
    const float* image = x.host().data();
    float *g_out = slope.host().data(), *h_out = curvature.host().data();
    for_image_lines(d_.lines(), 4 * nx, [&](std::size_t line, float* scratch) {
      float *g = g_out + line * nx, *h = h_out + line * nx, *w = scratch + 3 * nx;
      weighted_line(image, line, scratch, w);
      const float c = d_.weight(0);
      for (std::size_t i = 0; i < nx; ++i) {
        const float before = i > 0 ? scratch[i - 1] : 0.0F, w_before = i > 0 ? w[i - 1] : 0.0F,
                    w_here = i + 1 < nx ? w[i] : 0.0F;
        g[i] = c * (before - scratch[i]);
        h[i] = 2 * c * c * (w_here + w_before);
      }
      for (int a = 1; a < d_.axes(); ++a) {
        const float* p = scratch + static_cast<std::size_t>(a) * nx;
        const float c_a = d_.weight(a);
        if (d_.has_next(a, line))
          for (std::size_t i = 0; i < nx; ++i) {
            g[i] -= c_a * p[i];
            h[i] += 2 * c_a * c_a * w[i];
          }
      }
      for (int a = 1; a < d_.axes(); ++a) {
        if (!d_.has_previous(a, line)) continue;
        weighted_line(image, d_.previous_line(a, line), scratch, w);
        const float* p = scratch + static_cast<std::size_t>(a) * nx;
        const float c_a = d_.weight(a);
        for (std::size_t i = 0; i < nx; ++i) {
          g[i] += c_a * p[i];
          h[i] += 2 * c_a * c_a * w[i];
        }
      }
    });
  }

  void do_gradient_at(const Array& x, const VoxelLattice& voxels, Array& g,
                      Array& h) const override {
    const float* image = x.host().data();
    float *slope = g.host().data(), *curvature = h.host().data();
    for_lattice(voxels, {field_.nx, field_.ny, field_.nz}, [&](int ix, int iy, int iz) {
      const device::MagnitudeSlope pull =
          device::magnitude_slope(field_, potential_, image, ix, iy, iz);
      const std::size_t voxel = device::magnitude_voxel(field_, ix, iy, iz);
      slope[voxel] = pull.slope;
      curvature[voxel] = 0.5F * pull.curvature;
    });
  }

  PriorLine do_along(const Array& x, const Array& d, double a) const override {
    const std::size_t nx = d_.line_length();
    const float *image = x.host().data(), *direction = d.host().data();
    const auto reach = static_cast<float>(a);
    return sum_image_lines<PriorLine>(d_.lines(), 6 * nx, [&](std::size_t line, float* g) {
      float* gd = g + 3 * nx;
      d_.gradient_line(image, line, g);
      d_.gradient_line(direction, line, gd);
      double slope = 0, curvature = 0;
#pragma omp simd reduction(+ : slope, curvature)
      for (std::size_t i = 0; i < nx; ++i) {
        const float dx = gd[i], dy = gd[nx + i], dz = gd[2 * nx + i];
        const float gx = g[i] + reach * dx, gy = g[nx + i] + reach * dy,
                    gz = g[2 * nx + i] + reach * dz;
        const float w = potential_.influence(std::sqrt(gx * gx + gy * gy + gz * gz), line * nx + i);
        slope += static_cast<double>(w * (gx * dx + gy * dy + gz * dz));
        curvature += static_cast<double>(w * (dx * dx + dy * dy + dz * dz));
      }
      return PriorLine{slope, curvature};
    });
  }

  static float magnitude(const float* g, std::size_t nx, std::size_t i) {
    return std::sqrt(g[i] * g[i] + g[nx + i] * g[nx + i] + g[2 * nx + i] * g[2 * nx + i]);
  }

  /// Computes w, the influences along a line, and g = w grad x there.
  void weighted_line(const float* image, std::size_t line, float* g, float* w) const {
    const std::size_t nx = d_.line_length();
    d_.gradient_line(image, line, g);
    for (std::size_t i = 0; i < nx; ++i)
      w[i] = potential_.influence(magnitude(g, nx, i), line * nx + i);
    for (std::size_t a = 0; a < static_cast<std::size_t>(d_.axes()); ++a)
      for (std::size_t i = 0; i < nx; ++i) g[a * nx + i] *= w[i];
  }

  void primal(const ProximalTask& task, const Array& dual, Array& x) const override {
    const std::size_t nx = d_.line_length();
    const float *v = task.v.host().data(), *p = dual.host().data();
    float* z = x.host().data();
    const float weight = static_cast<float>(task.weight), low = task.low;
    for_image_lines(d_.lines(), nx, [&](std::size_t line, float* div) {
      d_.divergence_line(p, line, div);
      const float* from = v + line * nx;
      float* to = z + line * nx;
      for (std::size_t i = 0; i < nx; ++i) to[i] = std::max(from[i] + weight * div[i], low);
    });
  }

  void ascend(const Array& x, float step, float keep, float momentum, Array& dual,
              Array& extrapolated) const override {
    const float* z = x.host().data();
    float *p = dual.host().data(), *r = extrapolated.host().data();
    const std::size_t nx = d_.line_length(), voxels = d_.voxels();
    const auto axes = static_cast<std::size_t>(d_.axes());
    for_image_lines(d_.lines(), 4 * nx, [&](std::size_t line, float* g) {
      float* shrink = g + 3 * nx;
      d_.gradient_line(z, line, g);
      std::fill_n(shrink, nx, 0.0F);
      for (std::size_t a = 0; a < axes; ++a) {
        const float* from = r + a * voxels + line * nx;
        float* q = g + a * nx;
        for (std::size_t i = 0; i < nx; ++i) {
          q[i] = keep * from[i] + step * q[i];
          shrink[i] += q[i] * q[i];
        }
      }
      for (std::size_t i = 0; i < nx; ++i) shrink[i] = 1 / std::sqrt(std::max(shrink[i], 1.0F));
      for (std::size_t a = 0; a < axes; ++a) {
        float *last = p + a * voxels + line * nx, *to = r + a * voxels + line * nx;
        const float* q = g + a * nx;
        for (std::size_t i = 0; i < nx; ++i) {
          const float projected = q[i] * shrink[i];
          to[i] = projected + momentum * (projected - last[i]);
          last[i] = projected;
        }
      }
    });
  }

  Differences d_;
  device::MagnitudeField field_;
  Potential potential_;
};

}  // namespace gantry
