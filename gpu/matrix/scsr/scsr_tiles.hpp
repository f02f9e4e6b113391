#pragma once

#include "core/matrix/matrix_format.hpp"
#include "gpu/matrix/rows/device_rows.hpp"
#include "gpu/matrix/scsr/scsr_model.hpp"

#include <vector>

namespace gantry {

namespace device {
struct StoredTiles;
template <bool Half>
struct TileEntries;
}  // namespace device

/// The matrix rows of the stored views by tiles of the image (scsr_tiles.cuh), in device memory: 6
/// bytes an entry, 4 with weights in half precision.
template <bool Half>
class TiledRows {
 public:
  /// Stores weights as multiples of a unit, weight_unit(rows.unit(), Half). Throws UsageError if
  /// there are too many segments or nonzeros.
  TiledRows(const CudaBackend& cuda, const DeviceRows& rows, int views, int columns,
            const device::TileGrid& grid);

  device::StoredTiles view() const;
  device::TileEntries<Half> entries() const;
  const device::TileGrid& grid() const { return grid_; }
  float unit() const { return unit_; }
  std::int64_t segments() const { return segments_; }
  std::int64_t nonzeros() const { return nonzeros_; }
  std::int64_t padding() const { return entries_ - nonzeros_; }
  /// Returns the most segments of a stored ray, that is the most tiles that a ray may meet. Waits
  /// for the device.
  std::int64_t most_segments_of_ray() const;
  std::vector<MatrixPart> parts() const;

 private:
  void find_segments(const DeviceRows& rows);
  void fill(const DeviceRows& rows);
  void group_by_row(DeviceBuffer<int> row);

  const CudaBackend& cuda_;
  device::TileGrid grid_;
  int views_, columns_;
  float unit_;
  std::int64_t segments_ = 0, nonzeros_ = 0, entries_ = 0;  // entries_: with padding
  DeviceBuffer<std::int64_t> first_, row_start_;
  DeviceBuffer<int> first_column_;
  DeviceBuffer<std::uint32_t> start_, segment_of_;
  DeviceBuffer<std::uint16_t> length_;
  DeviceBuffer<std::uint32_t> words_;  // if Half; else places_ and weights_
  DeviceBuffer<std::uint16_t> places_;
  DeviceBuffer<float> weights_;
};

/// Returns the power of two nearest to `size`, the size of a large weight; 1 for weights in
/// float32.
float weight_unit(double size, bool half);

}  // namespace gantry
