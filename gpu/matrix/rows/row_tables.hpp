#pragma once

#include "core/operator/row_source.hpp"
#include "core/projectors/area/area_view.hpp"
#include "gpu/matrix/rows/area_row_model.hpp"
#include "gpu/matrix/rows/interval_row_model.hpp"

#include <span>
#include <vector>

namespace gantry {

// The tables that models of rows read, for some views of a planar scan, made by the same
// definitions as the CPU's rows. Here the pointers of a model point at the host's tables, so that
// the model can be used on the host; DeviceRows replaces them when it uploads the tables.

/// Returns the RowScan of some views. The RowScan points at `seen`, to which the maps of these
/// views are appended; `spare` is that of RowScan.
device::RowScan describe_rows(const ScanGeometry& geometry, const VolumeGrid& grid,
                              std::span<const int> views, int spare,
                              std::vector<device::SeenFrom>& seen);

/// The tables of the area-integral model.
struct AreaRowTables {
  std::vector<device::SeenFrom> seen;
  std::vector<AreaEdge> edges;    ///< [view][columns + 1]
  std::vector<AreaStrip> strips;  ///< [view][column]
  std::vector<double> sources;    ///< [view][x, y], mm
  device::AreaRows model;

  AreaRowTables(const ScanGeometry& geometry, const VolumeGrid& grid, std::span<const int> views,
                AreaWeights weights);
};

/// The tables of Siddon's and the distance-driven model.
struct IntervalRowTables {
  std::vector<device::SeenFrom> seen;
  std::vector<device::RowLine> lines;  ///< [view][column][2], the ends of the interval
  std::vector<device::RowPath> paths;  ///< [view][column]
  device::IntervalRows model;

  /// Makes the tables of the distance-driven rows, for any other definition those of Siddon's rows.
  IntervalRowTables(const ScanGeometry& geometry, const VolumeGrid& grid,
                    std::span<const int> views, RowDefinition definition);
};

}  // namespace gantry
