#include "core/matrix/tiles/volume_orbits.hpp"
#include "gpu/base/launch.hpp"
#include "gpu/matrix/bsr_half_symmetric/symmetric_build.cuh"
#include "gpu/matrix/bsr_half_symmetric/symmetric_tiles.hpp"
#include "gpu/matrix/bsr_half_symmetric/volume_images.hpp"

#include <bit>

namespace gantry {

namespace {

constexpr const char* purpose = "a stored matrix";
static_assert(device::most_elements == TileSymmetry::most_of_slice &&
              device::most_of_volume == TileSymmetry::most_elements);

DeviceBuffer<int> put(const CudaBackend& cuda, const std::vector<std::int32_t>& values) {
  return {cuda, std::span<const int>(values), purpose};
}
/// Bits of elements, in 8 bits for slices and in 16 bits for volumes.
template <class Owned>
DeviceBuffer<Owned> put_bits(const CudaBackend& cuda, const std::vector<std::uint16_t>& bits) {
  const std::vector<Owned> narrow(bits.begin(), bits.end());
  return {cuda, std::span<const Owned>(narrow), purpose};
}

device::SymmetricImages slice_images(const TileSymmetry& symmetry, const Projector& slice,
                                     const int* view_map) {
  device::SymmetricImages images{};
  images.view_map = view_map;
  images.shift = std::countr_zero(static_cast<unsigned>(symmetry.elements()));
  images.views = slice.views();
  images.cells = slice.geometry().columns();
  images.nx = slice.grid().nx;
  images.opposites = symmetry.opposites();
  images.middle_has_opposite = !symmetry.rays().disjoint;
  for (int e = 0; e < symmetry.elements(); ++e) {
    const PixelMap& map = symmetry.pixel_maps()[static_cast<std::size_t>(e)];
    images.pixel_map[e] = {map.origin, map.step_x, map.step_y};
    images.inverse[e] = symmetry.inverse(e);
  }
  return images;
}

}  // namespace

template <class Sides>
SymmetricTiles<Sides>::SymmetricTiles(const CudaBackend& cuda, const Projector& scan,
                                      const TileSymmetry& symmetry, int block_rays)
    : store_(cuda, scan, symmetry.rays().order, symmetry.pixels().order, block_rays),
      sums_pixels_(symmetry.rays().disjoint),
      view_map_(put(cuda, symmetry.view_maps())),
      position_of_(put(cuda, (sums_pixels_ ? symmetry.pixels() : symmetry.rays()).order.position)),
      ray_owned_(put_bits<typename Sides::Owned>(cuda, symmetry.rays().owned)),
      pixel_owned_(put_bits<typename Sides::Owned>(cuda, symmetry.pixels().owned)) {
  const DeviceScope scope(cuda.device());
  if constexpr (std::is_same_v<Sides, SliceSides>) {
    images_ = slice_images(symmetry, scan, view_map_.data());
    if (sums_pixels_) orbits_ = put(cuda, symmetry.patch_orbits());
    orbit_count_ = static_cast<int>(orbits_.size() / TileSymmetry::most_of_slice);
  } else {
    images_ = volume_images(symmetry, scan, view_map_.data());
    const VolumeOrbits found = volume_orbits(symmetry);
    if (!found.patch.empty()) {
      orbits_ = put(cuda, found.patch);
      orbit_count_ = static_cast<int>(found.patch.size()) / found.slot_count;
      std::vector<unsigned char> tables(found.slot.begin(), found.slot.end());
      pixels_table_ = tables.size();
      tables.insert(tables.end(), found.pixel.begin(), found.pixel.end());
      orbit_tables_ = {cuda, std::span<const unsigned char>(tables), purpose};
    }
  }
  DeviceBuffer<unsigned long long> count(cuda, 1, purpose);
  check(cudaMemsetAsync(count.data(), 0, sizeof(unsigned long long), cuda.stream()), purpose);
  const device::TileIndex index = store_.index();
  device::count_images<<<blocks(index.groups, usual_warps), usual_threads, 0, cuda.stream()>>>(
      index, rays({}, {}), pixel_owned_.data(), count.data());
  check_launch("count_images");
  nonzeros_ = count.download().front();
}

template <class Sides>
std::vector<MatrixPart> SymmetricTiles<Sides>::parts() const {
  std::vector<MatrixPart> parts = store_.parts();
  constexpr std::size_t owned = sizeof(typename Sides::Owned);
  parts.push_back({"images of rays", view_map_.size() * sizeof(int) + ray_owned_.size() * owned});
  parts.push_back({"images of pixels", pixel_owned_.size() * owned + orbits_.size() * sizeof(int) +
                                           orbit_tables_.size()});
  parts.push_back({"positions of sums", position_of_.size() * sizeof(int)});
  return parts;
}

template class SymmetricTiles<SliceSides>;
template class SymmetricTiles<VolumeSides>;

}  // namespace gantry
