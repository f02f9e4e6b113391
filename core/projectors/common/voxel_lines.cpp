#include "core/projectors/common/voxel_lines.hpp"

#include <algorithm>

namespace gantry {

namespace {

constexpr int tile = 16;  // voxels per side of a tile that is transposed at a time, in cache

}  // namespace

VoxelLines::VoxelLines(Backend& backend, const VolumeGrid& grid)
    : grid_(grid), values_(backend, bytes(grid) / sizeof(float)) {
  backend.fill(values_, 0.0F);
}

void VoxelLines::load(const float* volume) {
#pragma omp parallel for schedule(static)
  for (int iy = 0; iy < grid_.ny; ++iy)
    for (int x0 = 0; x0 < grid_.nx; x0 += tile)
      for (int z0 = 0; z0 < grid_.nz; z0 += tile)
        for (int ix = x0; ix < std::min(grid_.nx, x0 + tile); ++ix) {
          float* out = line(ix, iy) + 1;
          for (int iz = z0; iz < std::min(grid_.nz, z0 + tile); ++iz)
            out[iz] = volume[grid_.index(ix, iy, iz)];
        }
}

void VoxelLines::store(float* volume) const {
#pragma omp parallel for schedule(static)
  for (int iy = 0; iy < grid_.ny; ++iy)
    for (int z0 = 0; z0 < grid_.nz; z0 += tile)
      for (int x0 = 0; x0 < grid_.nx; x0 += tile)
        for (int iz = z0; iz < std::min(grid_.nz, z0 + tile); ++iz)
          for (int ix = x0; ix < std::min(grid_.nx, x0 + tile); ++ix)
            volume[grid_.index(ix, iy, iz)] = line(ix, iy)[iz + 1];
}

}  // namespace gantry
