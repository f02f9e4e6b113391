#pragma once

#include "core/matrix/matrix_format.hpp"
#include "gpu/matrix/rows/device_rows.hpp"

#include <type_traits>
#include <vector>

namespace gantry {

namespace device {
struct ColumnChunks;
template <bool Half>
struct ColumnEntries;
}  // namespace device

/// The transpose of the stored views' matrix rows in device memory, in chunks of 32 pairs of pixels
/// (scsr_columns.cuh): 10 bytes for an entry of a pair, 6 with weights in half precision.
template <bool Half>
class SlicedColumns {
 public:
  SlicedColumns(const CudaBackend& cuda, const DeviceRows& rows, int nx, int ny);

  device::ColumnChunks chunks() const;
  const std::int64_t* start() const { return start_.data(); }
  device::ColumnEntries<Half> entries() const;
  std::int64_t nonzeros() const { return nonzeros_; }
  std::int64_t padding() const { return 256 * groups_ - nonzeros_; }
  std::vector<MatrixPart> parts() const;
  /// Returns an estimate of the bytes of parts(), from some of the chunks.
  static double bytes(const Projector& weights, const std::vector<int>& stored_views);

 private:
  using Weights = std::conditional_t<Half, uint4, float4>;

  const CudaBackend& cuda_;
  int nx_, ny_;
  bool along_y_;
  std::int64_t groups_ = 0, nonzeros_ = 0;  // groups: of 4 entries in each of 32 lanes
  DeviceBuffer<std::int64_t> start_;
  DeviceBuffer<ushort4> steps_;
  DeviceBuffer<Weights> weights_;
};

}  // namespace gantry
