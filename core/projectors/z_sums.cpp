#include "core/projectors/z_sums.hpp"

#include <algorithm>

namespace gantry {

namespace {

constexpr int tile = 16;  // slices and heights that are turned at once: both sides stay in cache

static_assert(sizeof(std::int32_t) == sizeof(float));

}  // namespace

std::size_t ZSums::bytes(const VolumeGrid& grid, bool along_y) {
  const Slices slices = Slices::of(grid, along_y);
  return sizeof(std::int32_t) * static_cast<std::size_t>(slices.count) *
         (static_cast<std::size_t>(slices.width) + 1) * static_cast<std::size_t>(grid.nz);
}

ZSums::ZSums(Backend& backend, const VolumeGrid& grid, bool along_y, const float* volume,
             const PrefixUnit& unit)
    : slices_(Slices::of(grid, along_y)),
      nz_(grid.nz),
      memory_(backend, bytes(grid, along_y) / sizeof(float)),
      sums_(reinterpret_cast<std::int32_t*>(memory_.data())) {
#pragma omp parallel for schedule(static)
  for (int k = 0; k < slices_.count; k += tile)
    add_up(grid, k, std::min(slices_.count, k + tile), volume, unit);
}

void ZSums::add_up(const VolumeGrid& grid, int first, int last, const float* volume,
                   const PrefixUnit& unit) {
  const auto voxel = [&](int k, int i) {
    return volume + (slices_.along_y ? grid.index(i, k, 0) : grid.index(k, i, 0));
  };
  const std::size_t plane = static_cast<std::size_t>(grid.nx) * static_cast<std::size_t>(grid.ny);
  for (int k = first; k < last; ++k) std::fill_n(sums_ + offset(k, 0), nz_, 0);
  for (int z0 = 0; z0 < nz_; z0 += tile)
    for (int i = 0; i < slices_.width; ++i)
      for (int k = first; k < last; ++k) {
        const std::int32_t* before = sums_ + offset(k, i);
        std::int32_t* after = sums_ + offset(k, i + 1);
        const float* column = voxel(k, i);
        for (int z = z0; z < std::min(nz_, z0 + tile); ++z)
          after[z] = add_units(before[z], unit.count(column[static_cast<std::size_t>(z) * plane]));
      }
}

}  // namespace gantry
