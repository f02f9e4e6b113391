#include "core/base/error.hpp"
#include "core/matrix/rows/view_csr.hpp"
#include "core/matrix/tiles/tile_matrix.hpp"
#include "gpu/base/launch.hpp"
#include "gpu/matrix/bsr_half/patch_walk.hpp"
#include "gpu/matrix/bsr_half/tile_build.cuh"
#include "gpu/matrix/bsr_half/tile_store.hpp"
#include "gpu/matrix/rows/device_rows.hpp"
#include "gpu/matrix/rows/device_sums.hpp"

#include <algorithm>
#include <limits>

namespace gantry {

namespace {

constexpr const char* purpose = "a stored matrix";
constexpr const char* building = "building a matrix on the GPU";

static_assert(device::group_rays == group_rays && device::patch_pixels == patch_pixels &&
              device::tile_rays == tile_rays && device::group_tiles == group_tiles);

/// Returns the rays of an order as indices into the rows of some views (ascending), each view with
/// its first `kept` cells.
std::vector<std::int32_t> rows_at(const BlockOrder& rays, const std::vector<int>& views,
                                  std::int32_t cells, std::int32_t kept) {
  std::vector<std::int32_t> rows;
  for (const std::int32_t ray : rays.at) {
    const auto view = std::ranges::lower_bound(views, ray / cells);
    rows.push_back(ray < 0 ? -1
                           : static_cast<std::int32_t>(view - views.begin()) * kept + ray % cells);
  }
  return rows;
}

/// Returns the matrix rows of some views. Planar scans are computed by the device's row models; for
/// others the host computes no more rows than are stored.
DeviceCsr rows_from(const CudaBackend& cuda, const Projector& scan, const std::vector<int>& views,
                    int detector_rows) {
  return is_planar(scan.geometry(), scan.grid()) ? DeviceRows(cuda, scan, views).rows()
                                                 : stored_rows(cuda, scan, views, detector_rows);
}

DeviceBuffer<int> put(const CudaBackend& cuda, const std::vector<std::int32_t>& values) {
  return {cuda, std::span<const int>(values), purpose};
}

}  // namespace

TileStore::TileStore(const CudaBackend& cuda, const Projector& slice, BlockOrderKind order,
                     int block_rays)
    : TileStore(cuda, slice, ray_order(slice.geometry(), order), pixel_order(slice.grid(), order),
                block_rays) {}

TileStore::TileStore(const CudaBackend& cuda, const Projector& slice, const BlockOrder& rays,
                     const BlockOrder& pixels, int block_rays)
    : unit_(static_cast<float>(weight_unit(slice))) {
  const DeviceScope scope(cuda.device());
  const ScanGeometry& geometry = slice.geometry();
  const std::vector<int> views = views_of(rays, geometry);
  const int detector_rows = rows_of(rays, geometry), kept = detector_rows * geometry.columns();
  groups_ = static_cast<int>(rays.at.size() / group_rays);
  patches_ = static_cast<int>(pixels.at.size() / patch_pixels);
  ray_at_ = put(cuda, rays.at);
  pixel_at_ = put(cuda, pixels.at);
  const PatchWalk walk = walk_patches(slice, rays, pixels);
  const auto position = put(cuda, walk.position), patch_at = put(cuda, walk.patch_at),
             row_at =
                 put(cuda, rows_at(rays, views, static_cast<std::int32_t>(geometry.cells()), kept));
  const DeviceBuffer<unsigned char> by_rows(cuda, std::span<const unsigned char>(walk.by_rows),
                                            building);
  slice.check_interrupt();
  const DeviceCsr rows = rows_from(cuda, slice, views, detector_rows);
  slice.check_interrupt();

  const auto groups = static_cast<std::size_t>(groups_);
  group_start_ = DeviceBuffer<std::int64_t>(cuda, groups + 1, purpose);
  DeviceBuffer<std::int64_t> tile_start(cuda, groups + 1, purpose);
  for (auto* counts : {&group_start_, &tile_start})
    check(cudaMemsetAsync(counts->data(), 0, (groups + 1) * sizeof(std::int64_t), cuda.stream()),
          building);
  const device::TileSource from{
      rows.view(),     row_at.data(),  position.data(),
      patch_at.data(), by_rows.data(), static_cast<int>(pixels.position.size()),
      patches_,        block_rays,     1 / unit_};
  device::TileTarget to{group_start_.data(), tile_start.data(), {}, {}, {}, {}, {}};
  device::count_tiles<<<blocks(groups_, 1), device::build_threads, 0, cuda.stream()>>>(from, to);
  check_launch("count_tiles");
  const std::int64_t entries = counts_to_starts(cuda, group_start_),
                     tiles = counts_to_starts(cuda, tile_start);
  if (tiles > std::int64_t{std::numeric_limits<std::uint32_t>::max()} ||
      entries > std::int64_t{std::numeric_limits<std::int32_t>::max()})
    throw UsageError(
        "the matrix has more blocks than BSR on Tensor Cores can number (2^32 tiles, 2^31 entries)",
        "format", "use a smaller grid or fewer views");
  slice.check_interrupt();

  tile_ = DeviceBuffer<device::TileWeights>(cuda, static_cast<std::size_t>(tiles) * 32, purpose);
  check(cudaMemsetAsync(tile_.data(), 0, tile_.size() * sizeof(device::TileWeights), cuda.stream()),
        building);
  entry_ = DeviceBuffer<unsigned>(cuda, static_cast<std::size_t>(entries), purpose);
  DeviceBuffer<unsigned> first_tile(cuda, entry_.size(), purpose),
      group_of(cuda, entry_.size(), purpose);
  to.entry = entry_.data();
  to.first_tile = first_tile.data();
  to.group_of = group_of.data();
  to.weight = reinterpret_cast<__half*>(tile_.data());
  DeviceBuffer<unsigned long long> nonzeros(cuda, 1, purpose);
  check(cudaMemsetAsync(nonzeros.data(), 0, sizeof(unsigned long long), cuda.stream()), building);
  to.nonzeros = nonzeros.data();
  device::fill_tiles<<<blocks(groups_, 1), device::build_threads, 0, cuda.stream()>>>(from, to);
  check_launch("fill_tiles");
  nonzeros_ = nonzeros.download().front();
  group_tile_ = DeviceBuffer<unsigned>(cuda, groups + 1, purpose);
  device::narrow_starts<<<blocks(groups_ + 1, usual_threads), usual_threads, 0, cuda.stream()>>>(
      tile_start.data(), groups_ + 1, group_tile_.data());
  check_launch("narrow_starts");
  slice.check_interrupt();
  index_patches(cuda, first_tile, group_of);
}

void TileStore::index_patches(const CudaBackend& cuda, const DeviceBuffer<unsigned>& first_tile,
                              const DeviceBuffer<unsigned>& group_of) {
  const auto entries = static_cast<std::int64_t>(entry_.size());
  DeviceBuffer<int> patch(cuda, entry_.size(), purpose);
  DeviceBuffer<std::uint32_t> number(cuda, entry_.size(), purpose);
  patch_start_ = DeviceBuffer<std::int64_t>(cuda, static_cast<std::size_t>(patches_) + 1, purpose);
  patch_entry_ = DeviceBuffer<uint2>(cuda, entry_.size(), purpose);
  if (entries > 0) {
    device::patches_of_entries<<<blocks(entries, usual_threads), usual_threads, 0, cuda.stream()>>>(
        entry_.data(), entries, patch.data(), number.data());
    check_launch("patches_of_entries");
    sort_by_key(cuda, patch, number, patches_);
    const device::TileTarget made{{},
                                  {},
                                  entry_.data(),
                                  const_cast<unsigned*>(first_tile.data()),
                                  const_cast<unsigned*>(group_of.data()),
                                  {},
                                  {}};
    device::order_entries<<<blocks(entries, usual_threads), usual_threads, 0, cuda.stream()>>>(
        made, number.data(), entries, patch_entry_.data());
    check_launch("order_entries");
  }
  find_starts(cuda, patch, entries, patches_, patch_start_);
}

device::TileIndex TileStore::index() const {
  return {tile_.data(),   group_start_.data(), group_tile_.data(),
          entry_.data(),  patch_start_.data(), patch_entry_.data(),
          ray_at_.data(), pixel_at_.data(),    groups_,
          patches_};
}

std::vector<MatrixPart> TileStore::parts() const {
  return {{"weights", tile_.size() * sizeof(device::TileWeights)},
          {"index by rays", group_start_.size() * sizeof(std::int64_t) +
                                (group_tile_.size() + entry_.size()) * sizeof(unsigned)},
          {"index by pixels",
           patch_start_.size() * sizeof(std::int64_t) + patch_entry_.size() * sizeof(uint2)},
          {"order of rays", ray_at_.size() * sizeof(int)},
          {"order of pixels", pixel_at_.size() * sizeof(int)}};
}

}  // namespace gantry
