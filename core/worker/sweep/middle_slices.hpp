#pragma once

#include "core/centring/row_slices.hpp"
#include "core/job/experiment_data.hpp"
#include "core/worker/preview/scan_rows.hpp"
#include "core/worker/sweep/sweep.hpp"

#include <memory>

namespace gantry {

/// The points of a sweep as slices of the middle row by filtered backprojection, whatever the run
/// is: of the central column and of the tilt of a scan of several rows, and of the parameters of
/// corrections. Such a slice shows a wrong axis or a wrong correction as well as the whole volume
/// does, in a thousandth of the time. For large detectors, columns are binned and views left out.
class MiddleSlices {
 public:
  /// Returns whether of() would return slices, without making them.
  static bool suit(const SweepParam& param, const ExperimentData& data);
  /// Returns nothing for other parameters, for the axis of a scan of one row, for data with a
  /// reference, because whole images are compared with it, and for scans without a middle row (see
  /// middle_row()). `interrupt` may be null.
  static std::unique_ptr<const MiddleSlices> of(const SweepParam& param,
                                                std::shared_ptr<const ExperimentData> data,
                                                const Interrupt* interrupt = nullptr);

  /// Return a slice in the form of a result of `run`, although the run itself was not computed:
  /// with the axis at a column, with the detector tilted by so many degrees, or of the row with
  /// other line integrals, of all views and columns. Throw UsageError where the tilted row leaves
  /// the detector, and Interrupted.
  SweepPoint at(double value, const RunSpec& run) const;
  SweepPoint of_row(const ScanRows& row, const RunSpec& run) const;
  /// The rows of the detector that of_row() takes.
  RowRange rows() const;
  /// The middle row, on the grid of the slices.
  const std::shared_ptr<const ExperimentData>& data() const { return data_; }

 private:
  MiddleSlices(RowScan row, SweepParam param, std::shared_ptr<const ExperimentData> whole,
               const Interrupt* interrupt);
  SweepPoint slice_of(RowScan row, const RunSpec& run) const;

  SweepParam param_;
  std::shared_ptr<const ExperimentData> whole_;
  const Interrupt* interrupt_;
  RowSlices slices_;
  std::shared_ptr<const ExperimentData> data_;
};

}  // namespace gantry
