#pragma once

#include "core/matrix/matrix_format.hpp"
#include "gpu/matrix/device_rows.hpp"

#include <vector>

namespace gantry {

namespace device {
template <bool Half>
struct ColumnEntries;
}  // namespace device

/// The transpose of a zone in sliced ELL (kernels/zone_columns.cuh): 6 bytes an entry, 4 with
/// weights in half precision.
template <bool Half>
class SlicedColumns {
 public:
  SlicedColumns(const CudaBackend& cuda, const DeviceRows& rows, int nx, int ny);

  const std::int64_t* start() const { return start_.data(); }
  device::ColumnEntries<Half> entries() const;
  std::int64_t nonzeros() const { return nonzeros_; }
  std::int64_t padding() const { return 128 * groups_ - nonzeros_; }
  std::vector<MatrixPart> parts() const;

 private:
  const CudaBackend& cuda_;
  std::int64_t groups_ = 0, nonzeros_ = 0;  // groups of all 32 lanes
  DeviceBuffer<std::int64_t> start_;
  DeviceBuffer<uint4> words_;  // of half precision, else the two below
  DeviceBuffer<ushort4> steps_;
  DeviceBuffer<float4> weights_;
};

}  // namespace gantry
