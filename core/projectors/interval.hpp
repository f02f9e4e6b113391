#pragma once

#include "core/projectors/projector.hpp"

#include <memory>

namespace gantry {

/// What part of a slice a ray weighs: the pixels that it crosses there (Siddon), or those about the
/// point where it meets the slice's middle, by linear interpolation (Joseph). Both are overlaps of
/// an interval with pixels; see interval_kernels.hpp.
enum class Footprint { crossing, interpolated };

/// Vectorised products for a single slice seen by one row. `rows` gives the same weights in
/// float64.
std::unique_ptr<Projector> make_interval_2d(Backend& backend,
                                            std::shared_ptr<const ScanGeometry> geometry,
                                            const VolumeGrid& grid, Footprint footprint,
                                            std::unique_ptr<RowSource> rows);

/// Vectorised products for stacks and cones with upright detectors. Null where the scan does not
/// suit: a tilted detector, or rays so steep that Siddon's meets more than two voxels a slice.
std::unique_ptr<Projector> make_interval_3d(Backend& backend,
                                            std::shared_ptr<const ScanGeometry> geometry,
                                            const VolumeGrid& grid, Footprint footprint,
                                            std::unique_ptr<RowSource> rows);

/// The projector of a footprint for any scan: the fastest of the above that suits, else ray by ray.
template <class TracedProjectorOfIt, class TracedRowsOfIt>
std::unique_ptr<Projector> make_interval_projector(Backend& backend,
                                                   std::shared_ptr<const ScanGeometry> geometry,
                                                   const VolumeGrid& grid, Footprint footprint) {
  auto rows = std::make_unique<TracedRowsOfIt>(geometry, grid);
  if (is_planar(*geometry, grid))
    return make_interval_2d(backend, geometry, grid, footprint, std::move(rows));
  if (auto fast = make_interval_3d(backend, geometry, grid, footprint, std::move(rows)))
    return fast;
  return std::make_unique<TracedProjectorOfIt>(backend, geometry, grid);
}

}  // namespace gantry
