#pragma once

#include "core/centring/row_slices.hpp"
#include "core/job/experiment_data.hpp"
#include "core/worker/sweep/sweep.hpp"

#include <memory>

namespace gantry {

/// The points of a sweep of the central column over a scan of several rows. Each point is a slice
/// of the middle row by filtered backprojection, which shows a wrong axis as well as the whole
/// volume does, in a thousandth of the time. For large detectors, columns are binned and views left
/// out.
class AxisSlices {
 public:
  /// Returns whether of() would return slices, without making them.
  static bool suit(const SweepParam& param, const ExperimentData& data);
  /// Returns nothing for other parameters, for scans of one row, for data with a reference, because
  /// whole images are compared with it, and for scans without a middle row (see middle_row()).
  /// `interrupt` may be null.
  static std::unique_ptr<const AxisSlices> of(const SweepParam& param, const ExperimentData& data,
                                              const Interrupt* interrupt = nullptr);

  /// Returns the slice with the axis at a column, in the form of a result of `run`, although the
  /// run itself was not computed. Throws Interrupted.
  SweepPoint at(double column, const RunSpec& run) const;
  /// The middle row, on the grid of the slices.
  const std::shared_ptr<const ExperimentData>& data() const { return data_; }

 private:
  AxisSlices(RowScan row, const ExperimentData& whole, const Interrupt* interrupt);

  RowSlices slices_;
  std::shared_ptr<const ExperimentData> data_;
};

}  // namespace gantry
