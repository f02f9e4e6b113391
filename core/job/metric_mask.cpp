#include "core/job/metric_mask.hpp"

#include "core/base/error.hpp"
#include "core/base/text_stream.hpp"
#include "core/metrics/metric.hpp"

namespace gantry {

namespace {

std::string four_digits(double value) {
  TextStream text;
  text.precision(4);
  text << value;
  return text.str();
}

MetricMask mask_of_region(const MaskSpec& spec, const VolumeGrid& grid) {
  const std::string where = "metrics.roi";
  if (!spec.roi)
    throw UsageError("the mask is the region of interest, but there is none", where,
                     "draw or give one, or count all voxels");
  spec.roi->validate(where);
  if (!holds_voxel(grid, *spec.roi))
    throw UsageError("the " + describe(*spec.roi) + " holds no voxel of the grid", where,
                     "move or enlarge it");
  return {spec, VoxelMask([grid, roi = *spec.roi] { return region_mask(grid, roi); }),
          "region of interest, " + describe(*spec.roi)};
}

}  // namespace

MaskSpec mask_spec(const MetricsSpec& metrics) {
  if (metrics.mask != MaskKind::roi) return {metrics.mask};
  return {metrics.mask, metrics.regions.roi};
}

MetricMask metric_mask(const MaskSpec& spec, const ScanGeometry& geometry, const VolumeGrid& grid) {
  if (spec.kind == MaskKind::roi) return mask_of_region(spec, grid);
  const double radius_mm = geometry.field_of_view_radius_mm();
  if (spec.kind == MaskKind::all || radius_mm <= 0) return {spec};
  return {spec, VoxelMask([grid, radius_mm] { return circle_mask(grid, radius_mm); }),
          "circle of radius " + four_digits(radius_mm) + " mm"};
}

}  // namespace gantry
