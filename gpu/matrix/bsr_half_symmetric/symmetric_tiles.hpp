#pragma once

#include "core/matrix/tiles/tile_pattern.hpp"
#include "core/matrix/tiles/tile_symmetry.hpp"
#include "gpu/matrix/bsr_half/tile_store.hpp"
#include "gpu/matrix/bsr_half_symmetric/symmetric_tiles_model.hpp"
#include "gpu/matrix/bsr_half_symmetric/symmetric_volume_model.hpp"

namespace gantry {

/// The types for products with slices, and with one volume.
struct SliceSides {
  using Images = device::SymmetricImages;
  using Pixels = device::SymmetricPixels;
  using Rays = device::SymmetricRays;
  using Owned = unsigned char;
};
struct VolumeSides {
  using Images = device::VolumeImages;
  using Pixels = device::VolumeVoxels;
  using Rays = device::VolumeRays;
  using Owned = unsigned short;
};

/// The stored part of W of a symmetric slice or volume, in device memory, and the maps to all of W.
template <class Sides>
class SymmetricTiles {
 public:
  /// Throws as TileStore does.
  SymmetricTiles(const CudaBackend& cuda, const Projector& scan, const TileSymmetry& symmetry,
                 int block_rays);

  const TileStore& store() const { return store_; }
  std::uint64_t nonzeros() const { return nonzeros_; }  ///< number of nonzeros of all of A
  /// Returns whether each ray belongs to one image while pixels are sums over images; otherwise
  /// each pixel belongs to one image while rays are sums over images.
  bool sums_pixels() const { return sums_pixels_; }
  std::vector<MatrixPart> parts() const;

  typename Sides::Pixels pixels(const device::SliceLayout& layout) const {
    const device::TileIndex index = store_.index();
    if constexpr (std::is_same_v<Sides, SliceSides>)
      return {images_, layout, index.pixel_at, pixel_owned_.data()};
    else
      return {images_,           layout,       index.pixel_at, pixel_owned_.data(),
              index.patch_start, index.patches};
  }
  typename Sides::Rays rays(const device::SliceLayout& layout, device::ViewRange views) const {
    return {images_,           layout, store_.index().ray_at,
            ray_owned_.data(), views,  views.stride == 1 && views.count == images_.views};
  }
  const typename Sides::Images& images() const { return images_; }
  std::int64_t positions_of_pixels() const {
    return std::int64_t{store_.index().patches} * device::patch_pixels;
  }
  std::int64_t positions_of_rays() const {
    return std::int64_t{store_.index().groups} * device::group_rays;
  }
  /// Returns the position of each index of the side that is summed up.
  const int* position_of() const { return position_of_.data(); }
  /// Returns the orbits of patches; none where pixels are not summed up, or where an element does
  /// not map patches to patches.
  auto orbits() const {
    if constexpr (std::is_same_v<Sides, SliceSides>)
      return device::PatchOrbits{orbits_.data(), position_of_.data(), orbit_count_};
    else
      return device::VolumeOrbitTables{orbits_.data(), orbit_tables_.data(),
                                       orbit_tables_.data() + pixels_table_, orbit_count_};
  }

 private:
  TileStore store_;
  bool sums_pixels_;
  typename Sides::Images images_;
  DeviceBuffer<int> view_map_, position_of_, orbits_;
  DeviceBuffer<unsigned char> orbit_tables_;
  std::size_t pixels_table_ = 0;
  int orbit_count_ = 0;
  DeviceBuffer<typename Sides::Owned> ray_owned_, pixel_owned_;
  std::uint64_t nonzeros_ = 0;
};

}  // namespace gantry
