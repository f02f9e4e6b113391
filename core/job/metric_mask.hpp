#pragma once

#include "core/geometry/scan_geometry.hpp"
#include "core/job/experiment.hpp"
#include "core/metrics/voxel_mask.hpp"

#include <optional>
#include <string>

namespace gantry {

/// Which voxels metrics against a reference use.
struct MaskSpec {
  MaskKind kind = MaskKind::all;
  std::optional<Region> roi = {};  ///< of MaskKind::roi alone

  friend bool operator==(const MaskSpec&, const MaskSpec&) = default;
};
MaskSpec mask_spec(const MetricsSpec& metrics);

/// The voxels that metrics against a reference use, and what they are called.
struct MetricMask {
  MaskSpec spec = {};
  VoxelMask voxels = {};
  std::string label = "all voxels";  ///< "circle of radius 123 mm"
};

/// Returns the mask of images on a grid, of data measured with a geometry. Throws UsageError for a
/// region of interest that is not given or holds no voxel of the grid.
MetricMask metric_mask(const MaskSpec& spec, const ScanGeometry& geometry, const VolumeGrid& grid);

}  // namespace gantry
