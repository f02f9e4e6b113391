#pragma once

#include "core/base/interrupt.hpp"
#include "core/geometry/scan_geometry.hpp"
#include "core/geometry/volume_grid.hpp"

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace gantry {

/// Rebins a helical cone-beam scan (or a circular one with few rows) to a stack of fan-beam scans,
/// one for each slice of a grid. All fans have the same views and therefore the same weights
/// (is_stack). For a helix these are the views of one turn; each slice takes, for every view angle,
/// the turn whose source stands nearest to the slice. The result is approximate: the measured rays
/// are tilted against the slice that they are assigned to, and the fan-beam scan neglects this
/// tilt.
class FanRebinning {
 public:
  /// Throws UsageError for scans that cannot be rebinned, and for a slice outside
  /// rebinning_range_mm.
  FanRebinning(const ScanGeometry& cone, const VolumeGrid& grid);

  /// Returns the fan-beam scan: one detector row for each slice of the grid.
  const std::shared_ptr<const ScanGeometry>& fans() const { return fans_; }
  /// Computes the line integrals of the fans from those of the cone beam, both [view][row][column].
  /// Throws ShapeError for spans of another size, and Interrupted, with `fans` then undefined.
  void apply(std::span<const float> cone, std::span<float> fans,
             const Interrupt* interrupt = nullptr) const;
  /// Returns the number of fan rays whose measured ray would land beyond the first or last row of
  /// the cone-beam detector; their values are taken from that row.
  std::size_t beyond() const { return beyond_; }
  /// Returns a message to the user about the rays that beyond() counts; empty if there are none.
  std::string note() const;

 private:
  /// The measured view from which one fan is taken; dz_mm: height of the slice above the source of
  /// that view.
  struct Source {
    int view;
    double dz_mm;
  };
  void choose_sources(const ScanGeometry& cone, const VolumeGrid& grid);
  void count_beyond();

  std::size_t cone_rays_;
  int cone_rows_;
  double row_pitch_mm_, central_row_;
  std::vector<double> reach_mm_;     ///< [column]: in-plane distance from the source to the cell
  std::vector<double> rows_per_mm_;  ///< [column]: detector rows that the ray climbs per mm of dz
  std::vector<Source> sources_;      ///< [view of the fans][slice]
  std::shared_ptr<const ScanGeometry> fans_;
  std::size_t beyond_ = 0;
};

/// Returns the heights, mm, of the slices that can be rebinned: for every view angle there is a
/// source whose detector sees the axis at that height by a ray that climbs by at most 2.5 degrees.
/// Throws UsageError, with the reason, for scans that cannot be rebinned at all.
AxialRange rebinning_range_mm(const ScanGeometry& cone);

/// Returns the grid reduced to the slices that can be rebinned. Throws UsageError if there are
/// none.
VolumeGrid rebinnable_slices(const ScanGeometry& cone, const VolumeGrid& grid);

/// Returns a grid for the fans of a scan. slice_mm: distance of the slices, 0 for the height of a
/// detector row at the axis. slices: their number, 0 for as many as can be rebinned.
VolumeGrid rebinned_grid(const ScanGeometry& cone, double slice_mm = 0, int slices = 0);

}  // namespace gantry
