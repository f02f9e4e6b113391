#include "core/priors/differences.hpp"

#include "core/priors/image_lines.hpp"

#include <algorithm>

namespace gantry {

int difference_axes(const VolumeGrid& grid) { return grid.nz == 1 ? 2 : 3; }

std::array<double, 3> difference_weights(const VolumeGrid& grid) {
  const Vec3 d = grid.spacing_mm;
  const double smallest =
      difference_axes(grid) == 2 ? std::min(d.x, d.y) : std::min({d.x, d.y, d.z});
  return {smallest / d.x, smallest / d.y, smallest / d.z};
}

Differences::Differences(const VolumeGrid& grid)
    : axes_(difference_axes(grid)),
      nx_(static_cast<std::size_t>(grid.nx)),
      ny_(static_cast<std::size_t>(grid.ny)),
      nz_(static_cast<std::size_t>(grid.nz)),
      voxels_(grid.voxels()) {
  const auto weights = difference_weights(grid);
  std::ranges::transform(weights, weight_, [](double w) { return static_cast<float>(w); });
}

void Differences::gradient_line(const float* x, std::size_t line, float* g) const {
  const float* at = x + line * nx_;
  for (std::size_t i = 0; i + 1 < nx_; ++i) g[i] = weight_[0] * (at[i + 1] - at[i]);
  g[nx_ - 1] = 0;
  for (int a = 1; a < axes_; ++a) {
    float* out = g + static_cast<std::size_t>(a) * nx_;
    if (!has_next(a, line)) {
      std::fill_n(out, nx_, 0.0F);
      continue;
    }
    const float* next = at + stride(a);
    for (std::size_t i = 0; i < nx_; ++i) out[i] = weight_[a] * (next[i] - at[i]);
  }
}

void Differences::divergence_line(const float* p, std::size_t line, float* out) const {
  const float* at = p + line * nx_;
  out[0] = nx_ > 1 ? weight_[0] * at[0] : 0;
  for (std::size_t i = 1; i + 1 < nx_; ++i) out[i] = weight_[0] * (at[i] - at[i - 1]);
  if (nx_ > 1) out[nx_ - 1] = -weight_[0] * at[nx_ - 2];
  for (int a = 1; a < axes_; ++a) {
    at += voxels_;
    if (has_next(a, line))
      for (std::size_t i = 0; i < nx_; ++i) out[i] += weight_[a] * at[i];
    if (!has_previous(a, line)) continue;
    const float* previous = at - stride(a);
    for (std::size_t i = 0; i < nx_; ++i) out[i] -= weight_[a] * previous[i];
  }
}

void forward_differences(const VolumeGrid& grid, std::span<const float> x, std::span<float> p) {
  const Differences d(grid);
  const std::size_t nx = d.line_length();
  for_image_lines(d.lines(), 3 * nx, [&](std::size_t line, float* g) {
    d.gradient_line(x.data(), line, g);
    for (std::size_t a = 0; a < static_cast<std::size_t>(d.axes()); ++a)
      std::copy_n(g + a * nx, nx, p.data() + a * d.voxels() + line * nx);
  });
}

void divergence(const VolumeGrid& grid, std::span<const float> p, std::span<float> x) {
  const Differences d(grid);
  for_image_lines(d.lines(), 0, [&](std::size_t line, float*) {
    d.divergence_line(p.data(), line, x.data() + line * d.line_length());
  });
}

}  // namespace gantry
