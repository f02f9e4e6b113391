#include "core/projectors/distance_driven/z_sums.hpp"

#include <algorithm>

namespace gantry {

namespace {

constexpr int tile = 16;  // voxels per side of a tile that is transposed at a time, in cache

static_assert(sizeof(std::int32_t) == sizeof(float));

}  // namespace

ZSums::ZSums(Backend& backend, const VolumeGrid& grid, const float* volume, const PrefixUnit& unit)
    : grid_(grid),
      memory_(backend, bytes(grid) / sizeof(float)),
      sums_(reinterpret_cast<std::int32_t*>(memory_.data())) {
#pragma omp parallel for schedule(static)
  for (int iy = 0; iy < grid_.ny; ++iy)
    for (int ix = 0; ix < grid_.nx; ix += tile)
      add_up(iy, ix, std::min(grid_.nx, ix + tile), volume, unit);
}

void ZSums::add_up(int iy, int x_first, int x_last, const float* volume, const PrefixUnit& unit) {
  for (int ix = x_first; ix < x_last; ++ix) sums_[offset(ix, iy)] = 0;
  for (int z0 = 0; z0 < grid_.nz; z0 += tile)
    for (int ix = x_first; ix < x_last; ++ix) {
      std::int32_t* sums = sums_ + offset(ix, iy);
      for (int iz = z0; iz < std::min(grid_.nz, z0 + tile); ++iz)
        sums[iz + 1] = add_units(sums[iz], unit.count(volume[grid_.index(ix, iy, iz)]));
    }
  for (int ix = x_first; ix < x_last; ++ix) {
    std::int32_t* sums = sums_ + offset(ix, iy);
    sums[grid_.nz + 1] = sums[grid_.nz];
  }
}

}  // namespace gantry
