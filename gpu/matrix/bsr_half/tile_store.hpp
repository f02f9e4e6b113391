#pragma once

#include "core/matrix/matrix_format.hpp"
#include "core/matrix/tiles/block_order.hpp"
#include "gpu/base/device_buffer.hpp"
#include "gpu/matrix/bsr_half/tile_model.hpp"

namespace gantry {

/// W of one slice, or of a cone beam, in tiles of halves (tile_model.hpp) in device memory, indexed
/// by groups of rays and by patches of pixels.
class TileStore {
 public:
  /// Bytes for each patch that a group meets, while the index by patches is made.
  static constexpr double sorting_bytes = 24;

  /// Stores the rays and pixels of these orders. Throws UsageError from 2^32 tiles or 2^31 entries
  /// on, OutOfMemory and Interrupted.
  TileStore(const CudaBackend& cuda, const Projector& slice, const BlockOrder& rays,
            const BlockOrder& pixels, int block_rays);
  /// Stores all rays and pixels of a slice.
  TileStore(const CudaBackend& cuda, const Projector& slice, BlockOrderKind order, int block_rays);

  device::TileIndex index() const;
  /// The unit by which the weights were divided.
  float unit() const { return unit_; }
  std::uint64_t nonzeros() const { return nonzeros_; }
  std::uint64_t weights() const { return tile_.size() * sizeof(device::TileWeights) / 2; }
  std::vector<MatrixPart> parts() const;

 private:
  void index_patches(const CudaBackend& cuda, const DeviceBuffer<unsigned>& first_tile,
                     const DeviceBuffer<unsigned>& group_of);

  float unit_;
  std::uint64_t nonzeros_ = 0;
  int groups_ = 0, patches_ = 0;
  DeviceBuffer<device::TileWeights> tile_;
  DeviceBuffer<std::int64_t> group_start_, patch_start_;
  DeviceBuffer<unsigned> group_tile_, entry_;
  DeviceBuffer<uint2> patch_entry_;
  DeviceBuffer<int> ray_at_, pixel_at_;
};

}  // namespace gantry
