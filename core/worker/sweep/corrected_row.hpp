#pragma once

#include "core/centring/row_slices.hpp"
#include "core/worker/sweep/sweep.hpp"

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

namespace gantry {

/// The middle row of a measured scan, corrected with other values of one correction's parameter.
/// What comes before that correction is done once. From there on, corrections that treat each row
/// by itself are applied to the middle row alone; up to the last of the others, the whole scan is
/// corrected anew for each value.
class CorrectedRow {
 public:
  /// `trials` must outlive the object.
  CorrectedRow(const SweepParam& param, const Trials& trials) : param_(param), trials_(trials) {}

  /// Returns the row of an experiment that differs from the earlier ones in the parameter alone: a
  /// scan of its own, of all views, with the columns that the import adds. Throws InputError for a
  /// scan without a middle row (see middle_row()), what reading and correcting it throw, and
  /// Interrupted.
  RowScan of(const Experiment& varied);

 private:
  RowScan row_after(const Experiment& varied, std::vector<CorrectionSpec> steps);
  std::size_t first_varied(const Experiment& varied) const;
  std::size_t end_of_whole(const std::vector<CorrectionSpec>& steps, std::size_t first) const;

  SweepParam param_;
  const Trials& trials_;
  std::optional<RowScan> before_;  ///< the row before the correction whose parameter varies
  std::shared_ptr<const ScanGeometry> measured_;  ///< the whole scan, without added columns
  bool lengths_are_known_ = true;
};

}  // namespace gantry
