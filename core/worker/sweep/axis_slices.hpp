#pragma once

#include "core/centring/row_slices.hpp"
#include "core/job/experiment_data.hpp"
#include "core/worker/sweep/sweep.hpp"

#include <memory>

namespace gantry {

/// The points of a sweep of the central column over a scan of several rows: the slice of its middle
/// row by filtered backprojection, where a wrong axis shows as well as in the whole volume, and
/// takes a thousandth of the time. Columns are binned and views left out of large detectors.
class AxisSlices {
 public:
  /// Returns whether of() returns something, without making it.
  static bool suit(const SweepParam& param, const ExperimentData& data);
  /// Returns nothing for other parameters, scans of one row, data with a reference, which whole
  /// images are compared with, and scans without a middle row (see middle_row()). `interrupt` may
  /// be null.
  static std::unique_ptr<const AxisSlices> of(const SweepParam& param, const ExperimentData& data,
                                              const Interrupt* interrupt = nullptr);

  /// Returns the slice with the axis at a column, as a result of `run`, which was not computed.
  /// Throws Interrupted.
  SweepPoint at(double column, const RunSpec& run) const;
  /// The middle row, on the grid of the slices.
  const std::shared_ptr<const ExperimentData>& data() const { return data_; }

 private:
  AxisSlices(RowScan row, const ExperimentData& whole, const Interrupt* interrupt);

  RowSlices slices_;
  std::shared_ptr<const ExperimentData> data_;
};

}  // namespace gantry
