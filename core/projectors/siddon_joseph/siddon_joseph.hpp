#pragma once

#include "core/operator/projector.hpp"

#include <memory>

namespace gantry {

/// What part of a slice a ray weighs: the pixels that it crosses there (Siddon), or those about the
/// point where it meets the slice's middle, by linear interpolation (Joseph). Both are overlaps of
/// an interval with pixels; see siddon_joseph_kernels.hpp.
enum class RayWeighting { crossing, interpolated };

/// Vectorised products for a single slice seen by one row. `rows` gives the same weights in
/// float64.
std::unique_ptr<Projector> make_siddon_joseph_2d(Backend& backend,
                                                 std::shared_ptr<const ScanGeometry> geometry,
                                                 const VolumeGrid& grid, RayWeighting weighting,
                                                 std::unique_ptr<RowSource> rows);

/// Vectorised products for stacks and cones with upright detectors. Null where the scan does not
/// suit: a tilted detector, or rays so steep that Siddon's meets more than two voxels a slice.
std::unique_ptr<Projector> make_siddon_joseph_3d(Backend& backend,
                                                 std::shared_ptr<const ScanGeometry> geometry,
                                                 const VolumeGrid& grid, RayWeighting weighting,
                                                 std::unique_ptr<RowSource> rows);

/// The projector of a weighting for any scan: the fastest of the above that suits, else ray by ray.
template <class TracedProjectorOfIt, class TracedRowsOfIt>
std::unique_ptr<Projector> make_siddon_joseph(Backend& backend,
                                              std::shared_ptr<const ScanGeometry> geometry,
                                              const VolumeGrid& grid, RayWeighting weighting) {
  auto rows = std::make_unique<TracedRowsOfIt>(geometry, grid);
  if (is_planar(*geometry, grid))
    return make_siddon_joseph_2d(backend, geometry, grid, weighting, std::move(rows));
  if (auto fast = make_siddon_joseph_3d(backend, geometry, grid, weighting, std::move(rows)))
    return fast;
  return std::make_unique<TracedProjectorOfIt>(backend, geometry, grid);
}

}  // namespace gantry
