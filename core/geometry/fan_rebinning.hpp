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

/// A helical cone-beam scan (or one of few rows on a circle) as a stack of fan-beam scans, one for
/// each slice of a grid: all have the same views and so the same weights (is_stack). The views of a
/// helix are those of one turn; each slice takes of every view angle the turn whose source stands
/// nearest to it. Approximate: a ray keeps its tilt, of which nothing is known within its slice.
class FanRebinning {
 public:
  /// Throws UsageError for scans that cannot be rebinned, and for a slice outside
  /// rebinning_range_mm.
  FanRebinning(const ScanGeometry& cone, const VolumeGrid& grid);

  /// A row for each slice of the grid.
  const std::shared_ptr<const ScanGeometry>& fans() const { return fans_; }
  /// Line integrals [view][row][column], of the cone and of the fans. Throws Interrupted; the fans'
  /// are then undefined.
  void apply(std::span<const float> cone, std::span<float> fans,
             const Interrupt* interrupt = nullptr) const;
  /// Rays of the fans that land beyond the first or last row of the cone's detector; they are taken
  /// from that row.
  std::size_t beyond() const { return beyond_; }
  /// What a user should know of these; empty where there are none.
  std::string note() const;

 private:
  /// What the fan in the middle of a slice takes: rays of this view, dz_mm above its source.
  struct Source {
    int view;
    double dz_mm;
  };
  void choose_sources(const ScanGeometry& cone, const VolumeGrid& grid);
  void count_beyond();

  std::size_t cone_rays_;
  int cone_rows_;
  double row_pitch_mm_, central_row_;
  std::vector<double> reach_mm_;     ///< of a column: from the source to its cells, in the plane
  std::vector<double> rows_per_mm_;  ///< of a column: rows that the ray climbs for 1 mm of dz
  std::vector<Source> sources_;      ///< [view of the fans][slice]
  std::shared_ptr<const ScanGeometry> fans_;
  std::size_t beyond_ = 0;
};

/// Heights that slices may have: those for which every view angle was measured by a source whose
/// detector sees the axis there, by a ray that climbs no steeper than 2.5 degrees. Throws
/// UsageError for scans that cannot be rebinned at all, naming why.
AxialRange rebinning_range_mm(const ScanGeometry& cone);

/// The slices of a grid that can be rebinned. Throws UsageError where there are none.
VolumeGrid rebinnable_slices(const ScanGeometry& cone, const VolumeGrid& grid);

/// A grid for the fans of a scan. Distance of the slices: a row's height at the axis where 0.
/// Number: as many as can be rebinned where 0.
VolumeGrid rebinned_grid(const ScanGeometry& cone, double slice_mm = 0, int slices = 0);

}  // namespace gantry
