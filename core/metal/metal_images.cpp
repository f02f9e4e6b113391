#include "core/metal/metal_images.hpp"

#include "core/base/for_lines.hpp"
#include "core/geometry/default_scan.hpp"
#include "core/projectors/siddon_joseph/joseph.hpp"
#include "core/projectors/voxel/voxel_backprojection.hpp"
#include "core/solvers/direct/filtered_backprojection.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace gantry {

namespace {

/// Smooths a slice of `height` rows of `width` values along both directions by (1 2 1)/4; values at
/// the rim are repeated beyond it.
void smooth_slice(std::span<float> slice, std::size_t width, std::size_t height) {
  const std::vector<float> across = [&] {
    std::vector<float> result(slice.size());
    for (std::size_t y = 0; y < height; ++y)
      for (std::size_t x = 0; x < width; ++x) {
        const float* row = slice.data() + y * width;
        const float left = row[x > 0 ? x - 1 : 0], right = row[std::min(x + 1, width - 1)];
        result[y * width + x] = 0.25F * (left + 2 * row[x] + right);
      }
    return result;
  }();
  for (std::size_t y = 0; y < height; ++y)
    for (std::size_t x = 0; x < width; ++x) {
      const float above = across[(y > 0 ? y - 1 : 0) * width + x],
                  below = across[std::min(y + 1, height - 1) * width + x];
      slice[y * width + x] = 0.25F * (above + 2 * across[y * width + x] + below);
    }
}

}  // namespace

VolumeGrid metal_grid(const ScanGeometry& geometry, int most_across) {
  VolumeGrid grid = default_grid(ScanGeometry(with_both_sides(geometry.spec())));
  if (grid.nx <= most_across) return grid;
  const Vec3 size = grid.upper_corner_mm() - grid.lower_corner_mm(), center = grid.center_mm();
  const double factor = static_cast<double>(grid.nx) / most_across;
  grid.nx = grid.ny = most_across;
  if (geometry.beam() == Beam::cone)
    grid.nz = static_cast<int>(std::ceil(static_cast<double>(grid.nz) / factor));
  VolumeGrid coarse = VolumeGrid::centered(grid.nx, grid.ny, grid.nz,
                                           {size.x / grid.nx, size.y / grid.ny, size.z / grid.nz});
  coarse.origin_mm = coarse.origin_mm + center;
  return coarse;
}

MetalImages::MetalImages(const ScanGeometry& geometry, const VolumeGrid& grid,
                         const Interrupt* interrupt)
    : grid_(grid),
      interrupt_(interrupt),
      projector_(
          make_joseph(backend_, std::make_shared<const ScanGeometry>(geometry), grid, Params{})),
      rays_(backend_, geometry.rays()),
      mu_(backend_, grid.voxels()) {
  projector_->set_interrupt(interrupt);
}

void MetalImages::reconstruct(double extrapolation) {
  const ScanGeometry& geometry = projector_->geometry();
  const double cutoff =
      std::clamp(geometry.column_pitch_at_isocenter_mm() / grid_.spacing_mm.x, 0.05, 1.0);
  make_cpu_filtered_sum(*projector_, FilteringPlan::of(geometry, "hann", cutoff, extrapolation))
      ->compute(rays_, mu_);
  smooth();
}

void MetalImages::project() { projector_->forward(mu_, rays_); }

void MetalImages::smooth() {
  const auto width = static_cast<std::size_t>(grid_.nx),
             height = static_cast<std::size_t>(grid_.ny);
  for_lines(
      grid_.nz, interrupt_,
      [&](std::ptrdiff_t iz) {
        smooth_slice(mu().subspan(static_cast<std::size_t>(iz) * width * height, width * height),
                     width, height);
      },
      16);
}

void MetalImages::for_visible(const std::function<void(std::size_t, std::size_t)>& use) const {
  const double radius = 0.5 * grid_.nx * grid_.spacing_mm.x;
  for (int iz = 0; iz < grid_.nz; ++iz) {
    if (interrupt_ != nullptr) interrupt_->check();
    for (int iy = 0; iy < grid_.ny; ++iy) {
      const double y = grid_.voxel_center_mm(0, iy, iz).y,
                   reach = std::sqrt(std::max(0.0, radius * radius - y * y)) / grid_.spacing_mm.x,
                   middle = 0.5 * (grid_.nx - 1);
      const int first = static_cast<int>(std::ceil(middle - reach)),
                last = static_cast<int>(std::floor(middle + reach));
      if (first <= last) use(grid_.index(first, iy, iz), grid_.index(last, iy, iz) + 1);
    }
  }
}

ValueHistogram MetalImages::values(bool has_air) const {
  const std::span<const float> mu = mu_.host();
  float low = std::numeric_limits<float>::max(), high = std::numeric_limits<float>::lowest();
  for_visible([&](std::size_t first, std::size_t end) {
    const auto [least, most] = std::ranges::minmax(mu.subspan(first, end - first));
    low = std::min(low, least);
    high = std::max(high, most);
  });
  if (has_air) {
    low = std::min(low, 0.0F);
    high = std::max(high, 0.0F);
  }
  ValueHistogram histogram(low, high);
  std::size_t visible = 0;
  for_visible([&](std::size_t first, std::size_t end) {
    for (const float value : mu.subspan(first, end - first)) histogram.add(value);
    visible += end - first;
  });
  for (; has_air && visible > 0; --visible) histogram.add(0);
  return histogram;
}

std::size_t MetalImages::bytes(const ScanGeometry& geometry, const VolumeGrid& grid) {
  return (geometry.rays() + grid.voxels()) * sizeof(float) +
         std::max(joseph_memory(geometry, grid, 0).bytes,
                  VoxelBackprojection::bytes(geometry, grid));
}

}  // namespace gantry
