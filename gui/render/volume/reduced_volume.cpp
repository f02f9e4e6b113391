#include "gui/render/volume/reduced_volume.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <utility>

namespace gantry {

namespace {

int blocks_along(int size, int block) { return (size + block - 1) / block; }

VolumeGrid grid_of_blocks(const VolumeGrid& grid, VoxelBlock block) {
  VolumeGrid coarse = grid;
  coarse.nx = blocks_along(grid.nx, block.x);
  coarse.ny = blocks_along(grid.ny, block.y);
  coarse.nz = blocks_along(grid.nz, block.z);
  // From the centre of the first voxel of a block to that of the block.
  coarse.origin_mm =
      grid.voxel_center_mm(0.5 * (block.x - 1), 0.5 * (block.y - 1), 0.5 * (block.z - 1));
  coarse.spacing_mm = {block.x * grid.spacing_mm.x, block.y * grid.spacing_mm.y,
                       block.z * grid.spacing_mm.z};
  return coarse;
}

}  // namespace

VoxelBlock block_for(const VolumeGrid& grid, std::size_t most_voxels) {
  VoxelBlock block;
  struct Side {
    int& voxels;
    int size;
    double spacing_mm;
  };
  const std::array<Side, 3> sides = {Side{block.x, grid.nx, grid.spacing_mm.x},
                                     Side{block.y, grid.ny, grid.spacing_mm.y},
                                     Side{block.z, grid.nz, grid.spacing_mm.z}};
  const auto grows = [](const Side& side) { return side.voxels < side.size; };
  while (grid_of_blocks(grid, block).voxels() > most_voxels && std::ranges::any_of(sides, grows)) {
    double shortest_mm = std::numeric_limits<double>::infinity();
    for (const Side& side : sides)
      if (grows(side)) shortest_mm = std::min(shortest_mm, side.voxels * side.spacing_mm);
    constexpr double about = 1.01;  // sides of nearly the same length grow together
    for (const Side& side : sides)
      if (grows(side) && side.voxels * side.spacing_mm <= about * shortest_mm) ++side.voxels;
  }
  return block;
}

std::pair<VolumeGrid, std::vector<float>> averaged(const VolumeGrid& grid,
                                                   const std::vector<float>& values,
                                                   VoxelBlock block, const Interrupt* interrupt) {
  const VolumeGrid coarse = grid_of_blocks(grid, block);
  std::vector<float> means(coarse.voxels());
  for (int iz = 0; iz < grid.nz; ++iz) {
    if (interrupt != nullptr) interrupt->check();
    for (int iy = 0; iy < grid.ny; ++iy) {
      const float* row = values.data() + grid.index(0, iy, iz);
      float* to = means.data() + coarse.index(0, iy / block.y, iz / block.z);
      for (int cx = 0, ix = 0; cx < coarse.nx; ++cx)
        for (const int end = std::min(ix + block.x, grid.nx); ix < end; ++ix) to[cx] += row[ix];
    }
  }
  const auto voxels_in = [](int at, int side, int size) {
    return std::min(side, size - at * side);
  };
  float* mean = means.data();
  for (int cz = 0; cz < coarse.nz; ++cz)
    for (int cy = 0; cy < coarse.ny; ++cy)
      for (int cx = 0; cx < coarse.nx; ++cx)
        *mean++ /=
            static_cast<float>(voxels_in(cx, block.x, grid.nx) * voxels_in(cy, block.y, grid.ny) *
                               voxels_in(cz, block.z, grid.nz));
  return {coarse, std::move(means)};
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
  const VoxelBlock block = block_for(grid, most_voxels);
  if (block == VoxelBlock()) return {grid, all_finite(std::move(values)), grid, block};
  auto [coarse, means] = averaged(grid, *values, block, interrupt);
  return {coarse, all_finite(std::make_shared<const std::vector<float>>(std::move(means))), grid,
          block};
}

}  // namespace gantry
