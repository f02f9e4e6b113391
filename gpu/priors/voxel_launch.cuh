#pragma once

#include "core/data/volume.hpp"
#include "core/geometry/voxel_lattice.hpp"
#include "gpu/base/device_buffer.hpp"
#include "gpu/base/launch.hpp"
#include "gpu/base/pinned_buffer.hpp"
#include "gpu/device/elementwise.cuh"
#include "gpu/priors/voxels.cuh"

#include <algorithm>
#include <array>

namespace gantry {

/// Launches kernels over all voxels of a grid on the stream of a backend. The device must be
/// current.
class VoxelLaunch {
 public:
  VoxelLaunch(const CudaBackend& cuda, const VolumeGrid& grid)
      : stream_(cuda.stream()), counts_{grid.nx, grid.ny, grid.nz}, tiles_(tiles(counts_)) {
    const DeviceScope scope(cuda.device());
    partial_ = DeviceBuffer<double>(cuda, most_sums * block_count(), "sums on the GPU");
    result_ = PinnedBuffer<double>(most_sums);
  }

  /// Calls op(ix, iy, iz) for every voxel.
  template <class Op>
  void map(const char* name, const Op& op) const {
    kernels::map_voxels<<<tiles_, threads(), 0, stream_>>>(op, counts_);
    check_launch(name);
  }

  /// Calls op(ix, iy, iz) for the voxels of a lattice.
  template <class Op>
  void map(const char* name, const Op& op, const VoxelLattice& voxels) const {
    const kernels::VoxelCounts counts{voxels.count(0, counts_.nx), voxels.count(1, counts_.ny),
                                      voxels.count(2, counts_.nz)};
    if (counts.nx == 0 || counts.ny == 0 || counts.nz == 0) return;
    kernels::map_voxels<<<tiles(counts), threads(), 0, stream_>>>(
        kernels::OnLattice<Op>{op, voxels.first[0], voxels.first[1], voxels.first[2],
                               voxels.stride[0], voxels.stride[1], voxels.stride[2]},
        counts);
    check_launch(name);
  }

  /// Returns the `Count` sums to which op(ix, iy, iz, sums) adds for every voxel. Waits for the
  /// stream. `name` begins the message of errors.
  template <int Count, class Op>
  std::array<double, Count> sum(const char* name, const Op& op) {
    static_assert(Count <= most_sums);
    kernels::sum_voxels<Count><<<tiles_, threads(), 0, stream_>>>(op, counts_, partial_.data());
    check_launch(name);
    constexpr int adding = kernels::elementwise_threads;
    for (std::size_t k = 0; k < Count; ++k) {
      kernels::add_partials<adding><<<1, adding, 0, stream_>>>(partial_.data() + k * block_count(),
                                                               static_cast<int>(block_count()),
                                                               result_.device_data() + k);
      check_launch(name);
    }
    check(cudaStreamSynchronize(stream_), name);
    std::array<double, Count> sums{};
    std::copy_n(result_.data(), Count, sums.begin());
    return sums;
  }

 private:
  static constexpr int most_sums = 2;
  static constexpr unsigned usual_blocks = 4096;  // enough to keep a large GPU busy

  static dim3 threads() { return {kernels::voxel_tile_x, kernels::voxel_tile_y}; }
  static dim3 tiles(const kernels::VoxelCounts& n) {
    const unsigned across = blocks(n.nx, kernels::voxel_tile_x),
                   down = std::min(blocks(n.ny, kernels::voxel_tile_y), usual_blocks),
                   deep = std::max(usual_blocks / (across * down), 1U);
    return {across, down, std::min(deep, static_cast<unsigned>(n.nz))};
  }
  std::size_t block_count() const {
    return static_cast<std::size_t>(tiles_.x) * tiles_.y * tiles_.z;
  }

  cudaStream_t stream_;
  kernels::VoxelCounts counts_;
  dim3 tiles_;
  DeviceBuffer<double> partial_;
  PinnedBuffer<double> result_;
};

}  // namespace gantry
