#pragma once

#include "core/matrix/tile_pattern.hpp"
#include "core/matrix/tile_symmetry.hpp"
#include "gpu/kernels/symmetric_tiles_model.hpp"
#include "gpu/matrix/tile_store.hpp"

namespace gantry {

/// What of a symmetric slice is stored, in device memory, and the maps to all of it.
class SymmetricTiles {
 public:
  /// Throws as TileStore does.
  SymmetricTiles(const CudaBackend& cuda, const Projector& slice, const TileSymmetry& symmetry,
                 int block_rays);

  const TileStore& store() const { return store_; }
  std::uint64_t nonzeros() const { return nonzeros_; }  ///< of all of A
  /// Whether each ray is one column's and pixels are sums; otherwise the other way round.
  bool sums_pixels() const { return sums_pixels_; }
  std::vector<MatrixPart> parts() const;

  device::SymmetricPixels pixels(const device::SliceLayout& layout) const {
    return {images_, layout, store_.index().pixel_at, pixel_owned_.data()};
  }
  device::SymmetricRays rays(const device::SliceLayout& layout, device::ViewRange views) const {
    return {images_,           layout, store_.index().ray_at,
            ray_owned_.data(), views,  views.stride == 1 && views.count == images_.views};
  }
  const device::SymmetricImages& images() const { return images_; }
  std::int64_t positions_of_pixels() const {
    return std::int64_t{store_.index().patches} * device::patch_pixels;
  }
  std::int64_t positions_of_rays() const {
    return std::int64_t{store_.index().groups} * device::group_rays;
  }
  /// Of the side that is summed, [index].
  const int* position_of() const { return position_of_.data(); }
  /// None where pixels are no sums or patches do not go to patches.
  device::PatchOrbits orbits() const {
    return {orbits_.data(), position_of_.data(), static_cast<int>(orbits_.size() / 8)};
  }

 private:
  TileStore store_;
  bool sums_pixels_;
  device::SymmetricImages images_;
  DeviceBuffer<int> view_map_, position_of_, orbits_;
  DeviceBuffer<unsigned char> ray_owned_, pixel_owned_;
  std::uint64_t nonzeros_ = 0;
};

}  // namespace gantry
