#pragma once

#include "core/backend/array.hpp"
#include "core/backend/cpu_backend.hpp"
#include "core/base/interrupt.hpp"
#include "core/geometry/scan_geometry.hpp"
#include "core/geometry/volume_grid.hpp"

#include <optional>
#include <span>
#include <vector>

namespace gantry {

/// A detector row as a planar scan of its own, with columns binned and views left out.
struct RowScan {
  ScanSpec spec;  ///< parallel or fan, one row; its central column is the stated one
  std::vector<float> line_integrals;  ///< [view][column]
  double first_column = 0;            ///< the detector's column in the middle of column 0
  int bin = 1;                        ///< columns of the detector in a column

  double binned(double column) const { return (column - first_column) / bin; }
  double detector_column(double binned) const { return first_column + bin * binned; }
};

/// Returns the middle row of a parallel or fan beam, and of a cone beam, as a fan beam, the row
/// nearest to the plane of the source; reduced to at most so many columns and views. Returns
/// nothing for other trajectories than circles, for a cone beam whose rows are all more than one
/// row away from that plane, and for fewer than 16 columns or views. `line_integrals`:
/// [view][row][column] of the geometry. `roll_rad`: the detector was tilted so far in its plane
/// (see DetectorMove); the values along the line of the row are then those of cubic B-splines over
/// the cells about it, whose noise is nearly the same wherever the line runs, so that slices of
/// several tilts, 0 among them, can be compared. Throws UsageError if that line leaves the
/// detector.
std::optional<RowScan> middle_row(const ScanGeometry& geometry,
                                  std::span<const float> line_integrals, int most_columns,
                                  int most_views, std::optional<double> roll_rad = std::nullopt);

/// Returns the index of that row; nothing where middle_row() returns nothing.
std::optional<int> middle_row_index(const ScanGeometry& geometry);

/// The redundancy weights of a slice: those for its axis, as in a reconstruction, or those for the
/// stated axis in all slices, so that slices can be compared. Slices of a parallel beam always
/// share their weights.
enum class SliceWeights { own, common };

/// Slices of a row by filtered backprojection (Hann window), for any column of the axis.
class RowSlices {
 public:
  /// `interrupt`, which may be null, is checked while a slice is computed. The grid has a pixel for
  /// each column and holds the circle about the stated axis that the longer side of the detector
  /// sees.
  explicit RowSlices(RowScan row, const Interrupt* interrupt = nullptr,
                     SliceWeights weights = SliceWeights::own);
  RowSlices(const RowSlices&) = delete;  // the data lie in memory of the backend
  RowSlices& operator=(const RowSlices&) = delete;

  const RowScan& row() const { return row_; }
  const VolumeGrid& grid() const { return grid_; }
  /// Returns the attenuation in 1/mm, [iy][ix], with the axis at a column of the detector. Throws
  /// Interrupted.
  std::vector<float> slice(double axis_column) const;

 private:
  RowScan row_;
  const Interrupt* interrupt_;
  VolumeGrid grid_;
  mutable CpuBackend backend_;
  Array data_;
  std::vector<float> column_weight_;  // [view][column], common to all slices; may be empty
};

}  // namespace gantry
