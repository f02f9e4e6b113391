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

/// The weights of a projector in a list of views, from which matrices are built on a device. Matrix
/// rows are numbered [index in the list][cell]. The rows of the area-integral, Siddon and
/// distance-driven projectors of planar scans are computed on the device, in float64 by the CPU's
/// definitions, and no nonzero is dropped. The rows of other projectors are computed on the host by
/// the projector's RowSource, view by view, and stored on the device first.
class DeviceRows {
 public:
  /// Throws UsageError if the projector does not give single weights, the same for both of its
  /// products, or if there are 2^31 voxels or rays of the listed views or more.
  DeviceRows(const CudaBackend& cuda, const Projector& projector, std::vector<int> views);
  ~DeviceRows();
  DeviceRows(const DeviceRows&) = delete;
  DeviceRows& operator=(const DeviceRows&) = delete;

  /// Returns the model of the rows, which is usable for planar scans alone. The arrays that it
  /// points at live as long as this object.
  const RowModel& model() const { return model_; }
  const device::RowScan& scan() const {
    return std::visit([](const auto& model) -> const device::RowScan& { return model.scan; },
                      model_);
  }
  /// Returns the size of a large weight: the diagonal of a pixel, mm, or 1 if weights are parts of
  /// a pixel's area.
  double unit() const { return unit_; }

  /// Returns the matrix [ray][voxel]. Entries of a computed matrix row are ordered by layer, those
  /// of a stored one by voxel.
  DeviceCsr rows() const;
  /// Returns the transpose [voxel][ray], the entries of each voxel ascending by ray.
  DeviceCsr columns() const;

 private:
  struct Tables;

  const CudaBackend& cuda_;
  std::int64_t rows_, voxels_;
  double unit_;
  std::unique_ptr<Tables> tables_;
  RowModel model_;
};

/// A matrix and its transpose, for formats whose two products both sum along matrix rows.
struct RowsBothWays {
  DeviceCsr rows, columns;
};
/// Returns both matrices of one slice of a stack in all views; all slices share these weights.
/// Checks for an interrupt of the stack before each of the two.
RowsBothWays slice_both_ways(const CudaBackend& cuda, const Projector& stack);

/// Returns the matrix rows of some views, computed on the host by the projector's RowSource, for
/// the first `detector_rows` rows of the detector: [view of the list][detector row][column]. Any
/// scan is allowed; entries ascend by voxel. Checks for an interrupt between views.
DeviceCsr stored_rows(const CudaBackend& cuda, const Projector& projector,
                      const std::vector<int>& views, int detector_rows);

}  // namespace gantry
