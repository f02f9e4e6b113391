#include "gui/render/volume/reduced_volume.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

namespace gantry {

int block_for(const VolumeGrid& grid, std::size_t most_voxels) {
  int block = 1;
  while (grid.voxels() / static_cast<std::size_t>(block * block * block) > most_voxels) ++block;
  return block;
}

std::pair<VolumeGrid, std::vector<float>> averaged(const VolumeGrid& grid,
                                                   const std::vector<float>& values, int n,
                                                   const Interrupt* interrupt) {
  const auto blocks = [n](int size) { return (size + n - 1) / n; };
  VolumeGrid coarse = grid;
  coarse.nx = blocks(grid.nx);
  coarse.ny = blocks(grid.ny);
  coarse.nz = blocks(grid.nz);
  const double shift = 0.5 * (n - 1);  // from the first voxel of a block to its centre
  coarse.origin_mm = grid.voxel_center_mm(shift, shift, shift);
  coarse.spacing_mm = static_cast<double>(n) * grid.spacing_mm;
  std::vector<float> sums(coarse.voxels()), counts(coarse.voxels());
  for (int iz = 0; iz < grid.nz; ++iz) {
    if (interrupt != nullptr) interrupt->check();
    for (int iy = 0; iy < grid.ny; ++iy)
      for (int ix = 0; ix < grid.nx; ++ix) {
        const std::size_t to = coarse.index(ix / n, iy / n, iz / n);
        sums[to] += values[grid.index(ix, iy, iz)];
        counts[to] += 1;
      }
  }
  for (std::size_t i = 0; i < sums.size(); ++i) sums[i] /= counts[i];
  return {coarse, std::move(sums)};
}

namespace {

/// Returns values with zeros for those that are not finite, of a run that diverges: a ray caster
/// would look them up beyond its tables.
std::shared_ptr<const std::vector<float>> all_finite(
    std::shared_ptr<const std::vector<float>> values) {
  const auto is_finite = [](float value) { return std::isfinite(value); };
  if (std::ranges::all_of(*values, is_finite)) return values;
  std::vector<float> finite = *values;
  std::ranges::replace_if(finite, std::not_fn(is_finite), 0.0F);
  return std::make_shared<const std::vector<float>>(std::move(finite));
}

}  // namespace

ReducedVolume reduced(const VolumeGrid& grid, std::shared_ptr<const std::vector<float>> values,
                      std::size_t most_voxels, const Interrupt* interrupt) {
  const int block = block_for(grid, most_voxels);
  if (block == 1) return {grid, all_finite(std::move(values)), grid, 1};
  auto [coarse, means] = averaged(grid, *values, block, interrupt);
  return {coarse, all_finite(std::make_shared<const std::vector<float>>(std::move(means))), grid,
          block};
}

}  // namespace gantry
