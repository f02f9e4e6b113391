#pragma once

#include "core/operator/projector.hpp"

#include <memory>

namespace gantry {

/// Which pixels of a layer a ray weighs: those that the ray crosses within the layer (Siddon), or
/// the two around the point where the ray meets the middle plane of the layer, by linear
/// interpolation (Joseph). Both weights are overlaps of an interval with pixels; see
/// siddon_joseph_kernels.hpp.
enum class RayWeighting { crossing, interpolated };

/// Returns a projector with vectorised products for a single slice seen by one detector row
/// (is_planar). `rows` must compute the same weights in float64. Throws UsageError for a slice of
/// more than 2^31 - 1 pixels.
std::unique_ptr<Projector> make_siddon_joseph_2d(Backend& backend,
                                                 std::shared_ptr<const ScanGeometry> geometry,
                                                 const VolumeGrid& grid, RayWeighting weighting,
                                                 std::unique_ptr<RowSource> rows);

/// Returns a projector with vectorised products for stacks and cone beams whose detectors are
/// upright (has_upright_detector). Returns null for a tilted detector and for rays that may climb
/// too much along z per layer: by a pixel's smaller side or more (Joseph's method samples such rays
/// along z), or with Siddon's weights by a voxel or more (a ray may meet over two voxels of a
/// line). Throws UsageError for an invalid grid, or if a part of it does not lie ahead of every
/// source.
std::unique_ptr<Projector> make_siddon_joseph_3d(Backend& backend,
                                                 std::shared_ptr<const ScanGeometry> geometry,
                                                 const VolumeGrid& grid, RayWeighting weighting,
                                                 std::unique_ptr<RowSource> rows);

/// Upper bounds of the climb along z of any ray from layer to layer: in voxels, and relative to the
/// smaller of the pixel's sides. In the plane, the path between two layers is at most the diagonal
/// of a pixel. From 1 on, a Siddon ray may meet more than two voxels of a line, and Joseph's method
/// may sample a ray along z. 0 for scans without a cone.
struct RayClimb {
  double voxels = 0, relative = 0;

  RayClimb(const ScanGeometry& geometry, const VolumeGrid& grid);
};

/// Whether make_siddon_joseph_3d makes a projector for a scan.
bool suits_siddon_joseph_3d(const ScanGeometry& geometry, const VolumeGrid& grid,
                            RayWeighting weighting);

/// The workspace_bytes() of these projectors.
std::size_t siddon_joseph_2d_bytes(const ScanGeometry& geometry, const VolumeGrid& grid);
std::size_t siddon_joseph_3d_bytes(const ScanGeometry& geometry, const VolumeGrid& grid);

/// Returns the projector of a weighting for any scan: one of the above if it suits the scan, else
/// one that computes the products ray by ray.
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

/// Returns the memory of the products of what make_siddon_joseph makes.
ProductMemory siddon_joseph_memory(const ScanGeometry& geometry, const VolumeGrid& grid,
                                   RayWeighting weighting);

}  // namespace gantry
