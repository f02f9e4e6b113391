#pragma once

#include "core/operator/row_definition.hpp"
#include "core/projectors/area/area_view.hpp"
#include "gpu/matrix/rows/area_row_model.hpp"
#include "gpu/matrix/rows/interval_row_model.hpp"

#include <span>
#include <vector>

namespace gantry {

// What the models of rows read, of some views of a planar scan, made from the same definitions as
// the CPU's rows. The pointers of a model are set by whoever puts its tables on a device; here they
// point at the tables, so that the models can be used on the host.

/// Columns seen by the pixels, with `spare` pixels around them.
device::RowScan describe_rows(const ScanGeometry& geometry, const VolumeGrid& grid,
                              std::span<const int> views, int spare,
                              std::vector<device::SeenFrom>& seen);

struct AreaRowTables {
  std::vector<device::SeenFrom> seen;
  std::vector<AreaEdge> edges;    ///< [view][columns + 1]
  std::vector<AreaStrip> strips;  ///< [view][column]
  std::vector<double> sources;    ///< [view][x, y], mm
  device::AreaRows model;

  AreaRowTables(const ScanGeometry& geometry, const VolumeGrid& grid, std::span<const int> views,
                AreaWeights weights);
};

struct IntervalRowTables {
  std::vector<device::SeenFrom> seen;
  std::vector<device::RowLine> lines;  ///< [view][column][2]
  std::vector<device::RowPath> paths;  ///< [view][column]
  device::IntervalRows model;

  /// Siddon's or the distance-driven rows. Throws UsageError for a fan that the latter cannot have.
  IntervalRowTables(const ScanGeometry& geometry, const VolumeGrid& grid,
                    std::span<const int> views, RowDefinition definition);
};

}  // namespace gantry
