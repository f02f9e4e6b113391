#pragma once

#include "core/operator/projector.hpp"
#include "gpu/matrix/rows/area_row_model.hpp"
#include "gpu/matrix/rows/device_csr.hpp"
#include "gpu/matrix/rows/interval_row_model.hpp"

#include <memory>
#include <variant>
#include <vector>

namespace gantry {

using RowModel = std::variant<device::AreaRows, device::IntervalRows, device::StoredRows>;

/// The weights of a projector in some views, for matrices to be built of on a device. Rows are
/// numbered [view of the list][cell]. Area-integral, Siddon's and distance-driven rows of planar
/// scans are computed there, in float64 from the CPU's definitions, and none is dropped; those of
/// other projectors come from its RowSource, view by view, and are stored first.
class DeviceRows {
 public:
  /// Throws UsageError where the projector has no single weights or the grid more than 2^31 voxels.
  DeviceRows(const CudaBackend& cuda, const Projector& projector, std::vector<int> views);
  ~DeviceRows();
  DeviceRows(const DeviceRows&) = delete;
  DeviceRows& operator=(const DeviceRows&) = delete;

  /// Of a planar scan; what it points at lives as long as this.
  const RowModel& model() const { return model_; }
  const device::RowScan& scan() const {
    return std::visit([](const auto& model) -> const device::RowScan& { return model.scan; },
                      model_);
  }
  /// The size of a large weight: a pixel's diagonal, or 1 where weights are shares.
  double unit() const { return unit_; }

  /// The rows by themselves. A row's entries go slice by slice; a stored row's ascend.
  DeviceCsr rows() const;
  /// Their transpose: a row for each voxel, entries ascending.
  DeviceCsr columns() const;

 private:
  struct Tables;

  const CudaBackend& cuda_;
  std::int64_t rows_, voxels_;
  double unit_;
  std::unique_ptr<Tables> tables_;
  RowModel model_;
};

/// W and its transpose, for layouts that sum up both ways along rows.
struct RowsBothWays {
  DeviceCsr rows, columns;
};
/// Of the slices of a stack, which share them, in all views. The stack gives way in between.
RowsBothWays slice_both_ways(const CudaBackend& cuda, const Projector& stack);

/// The rows of some views as the projector's RowSource gives them on the host, of any scan, of the
/// first `detector_rows` of the detector: entries ascend. Gives way between views.
DeviceCsr stored_rows(const CudaBackend& cuda, const Projector& projector,
                      const std::vector<int>& views, int detector_rows);

}  // namespace gantry
