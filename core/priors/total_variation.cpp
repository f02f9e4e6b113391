#include "core/priors/total_variation.hpp"

#include "core/base/error.hpp"
#include "core/priors/image_rows.hpp"

#include <algorithm>
#include <cmath>

namespace gantry {

namespace {

/// Sizes, strides and weights of the differences, row by row along x.
class Differences {
 public:
  explicit Differences(const VolumeGrid& grid)
      : axes(difference_axes(grid)),
        nx_(static_cast<std::size_t>(grid.nx)),
        ny_(static_cast<std::size_t>(grid.ny)),
        nz_(static_cast<std::size_t>(grid.nz)),
        voxels_(grid.voxels()) {
    const auto weights = difference_weights(grid);
    std::ranges::transform(weights, weight_, [](double w) { return static_cast<float>(w); });
  }

  const int axes;
  std::size_t rows() const { return ny_ * nz_; }
  std::size_t row_length() const { return nx_; }
  std::size_t voxels() const { return voxels_; }

  /// g[axis * nx + ix] = (grad x) of one row.
  void gradient_row(const float* x, std::size_t row, float* g) const {
    const float* at = x + row * nx_;
    for (std::size_t i = 0; i + 1 < nx_; ++i) g[i] = weight_[0] * (at[i + 1] - at[i]);
    g[nx_ - 1] = 0;
    for (int a = 1; a < axes; ++a) {
      float* out = g + static_cast<std::size_t>(a) * nx_;
      if (!has_next(a, row)) {
        std::fill_n(out, nx_, 0.0F);
        continue;
      }
      const float* next = at + stride(a);
      for (std::size_t i = 0; i < nx_; ++i) out[i] = weight_[a] * (next[i] - at[i]);
    }
  }

  /// out[ix] = (div p) of one row.
  void divergence_row(const float* p, std::size_t row, float* out) const {
    const float* at = p + row * nx_;
    out[0] = nx_ > 1 ? weight_[0] * at[0] : 0;
    for (std::size_t i = 1; i + 1 < nx_; ++i) out[i] = weight_[0] * (at[i] - at[i - 1]);
    if (nx_ > 1) out[nx_ - 1] = -weight_[0] * at[nx_ - 2];
    for (int a = 1; a < axes; ++a) {
      at += voxels_;
      if (has_next(a, row))
        for (std::size_t i = 0; i < nx_; ++i) out[i] += weight_[a] * at[i];
      if (!has_previous(a, row)) continue;
      const float* previous = at - stride(a);
      for (std::size_t i = 0; i < nx_; ++i) out[i] -= weight_[a] * previous[i];
    }
  }

 private:
  std::size_t stride(int axis) const { return axis == 1 ? nx_ : nx_ * ny_; }
  bool has_next(int axis, std::size_t row) const {
    return axis == 1 ? row % ny_ + 1 < ny_ : row / ny_ + 1 < nz_;
  }
  bool has_previous(int axis, std::size_t row) const {
    return axis == 1 ? row % ny_ > 0 : row / ny_ > 0;
  }

  std::size_t nx_, ny_, nz_, voxels_;
  float weight_[3] = {1, 1, 1};
};

class TotalVariation final : public DualProjection {
 public:
  TotalVariation(Backend& backend, const VolumeGrid& grid)
      : DualProjection(backend, grid), differences_(grid) {}

  double value(const Array& x) const override {
    const std::size_t nx = differences_.row_length();
    const float* image = x.host().data();
    return sum_rows<double>(differences_.rows(), 3 * nx, [&](std::size_t row, float* g) {
      differences_.gradient_row(image, row, g);
      double sum = 0;
#pragma omp simd reduction(+ : sum)
      for (std::size_t i = 0; i < nx; ++i)
        sum += static_cast<double>(
            std::sqrt(g[i] * g[i] + g[nx + i] * g[nx + i] + g[2 * nx + i] * g[2 * nx + i]));
      return sum;
    });
  }

 private:
  void primal(const ProximalTask& task, const Array& dual, Array& x) const override {
    const std::size_t nx = differences_.row_length();
    const float *v = task.v.host().data(), *p = dual.host().data();
    float* z = x.host().data();
    const float weight = static_cast<float>(task.weight), low = task.low;
    for_rows(differences_.rows(), nx, [&](std::size_t row, float* div) {
      differences_.divergence_row(p, row, div);
      const float* from = v + row * nx;
      float* to = z + row * nx;
      for (std::size_t i = 0; i < nx; ++i) to[i] = std::max(from[i] + weight * div[i], low);
    });
  }

  void ascend(const Array& x, float step, float momentum, Array& dual,
              Array& extrapolated) const override {
    const float* z = x.host().data();
    float *p = dual.host().data(), *r = extrapolated.host().data();
    const std::size_t nx = differences_.row_length(), voxels = differences_.voxels();
    const auto axes = static_cast<std::size_t>(differences_.axes);
    for_rows(differences_.rows(), 4 * nx, [&](std::size_t row, float* g) {
      float* shrink = g + 3 * nx;
      differences_.gradient_row(z, row, g);
      std::fill_n(shrink, nx, 0.0F);
      for (std::size_t a = 0; a < axes; ++a) {
        const float* from = r + a * voxels + row * nx;
        float* q = g + a * nx;
        for (std::size_t i = 0; i < nx; ++i) {
          q[i] = from[i] + step * q[i];
          shrink[i] += q[i] * q[i];
        }
      }
      for (std::size_t i = 0; i < nx; ++i) shrink[i] = 1 / std::sqrt(std::max(shrink[i], 1.0F));
      for (std::size_t a = 0; a < axes; ++a) {
        float *last = p + a * voxels + row * nx, *to = r + a * voxels + row * nx;
        const float* q = g + a * nx;
        for (std::size_t i = 0; i < nx; ++i) {
          const float projected = q[i] * shrink[i];
          to[i] = projected + momentum * (projected - last[i]);
          last[i] = projected;
        }
      }
    });
  }

  Differences differences_;
};

}  // namespace

DualProjection::DualProjection(Backend& backend, const VolumeGrid& grid)
    : norm_square_(0),
      extrapolated_(backend, static_cast<std::size_t>(difference_axes(grid)) * grid.voxels()) {
  // A difference has at most twice its weight, and a voxel takes part in two.
  const auto weights = difference_weights(grid);
  for (int a = 0; a < difference_axes(grid); ++a)
    norm_square_ += 4 * weights[static_cast<std::size_t>(a)] * weights[static_cast<std::size_t>(a)];
}

void DualProjection::proximal(const ProximalTask& task, Array& dual, Array& x) {
  if (dual.size() != dual_size())
    throw ShapeError("total variation: the dual does not fit the grid");
  constexpr double largest_step = 1e15;  // of a weight that hardly matters: squares stay finite
  const auto step = static_cast<float>(std::min(largest_step, 1 / (task.weight * norm_square_)));
  dual.backend().copy(dual, extrapolated_);
  double t = 1;
  for (int k = 0; k < task.iterations && task.weight > 0; ++k) {
    const double next_t = 0.5 * (1 + std::sqrt(1 + 4 * t * t));
    primal(task, extrapolated_, x);
    task.check_interrupt();
    ascend(x, step, static_cast<float>((t - 1) / next_t), dual, extrapolated_);
    task.check_interrupt();
    t = next_t;
  }
  primal(task, dual, x);
}

std::array<double, 3> difference_weights(const VolumeGrid& grid) {
  const Vec3 d = grid.spacing_mm;
  const double smallest =
      difference_axes(grid) == 2 ? std::min(d.x, d.y) : std::min({d.x, d.y, d.z});
  return {smallest / d.x, smallest / d.y, smallest / d.z};
}

std::unique_ptr<Regularizer> make_total_variation(Backend& backend, const VolumeGrid& grid) {
  if (backend.kind() != BackendKind::cpu)
    throw UsageError("total variation is not made for this device", "backend", "use cpu");
  return std::make_unique<TotalVariation>(backend, grid);
}

int difference_axes(const VolumeGrid& grid) { return grid.nz == 1 ? 2 : 3; }

void forward_differences(const VolumeGrid& grid, std::span<const float> x, std::span<float> p) {
  const Differences d(grid);
  const std::size_t nx = d.row_length();
  for_rows(d.rows(), 3 * nx, [&](std::size_t row, float* g) {
    d.gradient_row(x.data(), row, g);
    for (std::size_t a = 0; a < static_cast<std::size_t>(d.axes); ++a)
      std::copy_n(g + a * nx, nx, p.data() + a * d.voxels() + row * nx);
  });
}

void divergence(const VolumeGrid& grid, std::span<const float> p, std::span<float> x) {
  const Differences d(grid);
  for_rows(d.rows(), 0, [&](std::size_t row, float*) {
    d.divergence_row(p.data(), row, x.data() + row * d.row_length());
  });
}

}  // namespace gantry
