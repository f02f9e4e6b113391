#include "gpu/kernels/symmetric_build.cuh"
#include "gpu/matrix/symmetric_tiles.hpp"
#include "gpu/projectors/launch.hpp"

#include <bit>

namespace gantry {

namespace {

constexpr const char* purpose = "a stored matrix";
static_assert(device::most_elements == TileSymmetry::most_elements);

DeviceBuffer<int> put(const CudaBackend& cuda, const std::vector<std::int32_t>& values) {
  return {cuda, std::span<const int>(values), purpose};
}
DeviceBuffer<unsigned char> put(const CudaBackend& cuda, const std::vector<std::uint8_t>& values) {
  return {cuda, std::span<const unsigned char>(values), purpose};
}

}  // namespace

SymmetricTiles::SymmetricTiles(const CudaBackend& cuda, const Projector& slice,
                               const TileSymmetry& symmetry, int block_rays)
    : store_(cuda, slice, symmetry.rays().order, symmetry.pixels().order, block_rays),
      sums_pixels_(symmetry.rays().disjoint),
      images_{},
      view_map_(put(cuda, symmetry.view_maps())),
      position_of_(put(cuda, (sums_pixels_ ? symmetry.pixels() : symmetry.rays()).order.position)),
      ray_owned_(put(cuda, symmetry.rays().owned)),
      pixel_owned_(put(cuda, symmetry.pixels().owned)) {
  const DeviceScope scope(cuda.device());
  if (sums_pixels_) orbits_ = put(cuda, symmetry.patch_orbits());
  images_.view_map = view_map_.data();
  images_.shift = std::countr_zero(static_cast<unsigned>(symmetry.elements()));
  images_.views = slice.views();
  images_.cells = slice.geometry().columns();
  images_.nx = slice.grid().nx;
  images_.twins = symmetry.twins();
  images_.middle_has_twin = !sums_pixels_;
  for (int e = 0; e < symmetry.elements(); ++e) {
    const PixelMap& map = symmetry.pixel_maps()[static_cast<std::size_t>(e)];
    images_.pixel_map[e] = {map.origin, map.step_x, map.step_y};
    images_.inverse[e] = symmetry.inverse(e);
  }
  DeviceBuffer<unsigned long long> count(cuda, 1, purpose);
  check(cudaMemsetAsync(count.data(), 0, sizeof(unsigned long long), cuda.stream()), purpose);
  const device::TileIndex index = store_.index();
  device::count_images<<<blocks(index.groups, 8), 256, 0, cuda.stream()>>>(
      index, rays({}, {}), pixel_owned_.data(), count.data());
  check_launch("count_images");
  nonzeros_ = count.download().front();
}

std::vector<MatrixPart> SymmetricTiles::parts() const {
  std::vector<MatrixPart> parts = store_.parts();
  parts.push_back({"images of rays", view_map_.size() * sizeof(int) + ray_owned_.size()});
  parts.push_back({"images of pixels", pixel_owned_.size() + orbits_.size() * sizeof(int)});
  parts.push_back({"places of sums", position_of_.size() * sizeof(int)});
  return parts;
}

}  // namespace gantry
