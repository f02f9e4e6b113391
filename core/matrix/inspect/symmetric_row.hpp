#pragma once

#include "core/data/slice.hpp"
#include "core/geometry/symmetry.hpp"
#include "core/operator/projector.hpp"

#include <vector>

namespace gantry {

/// Returns the matrix row of a ray. Throws UsageError when the projector gives no single weights.
RowWeights row_of(const Projector& weights, RayIndex ray);

/// Returns the weights of a matrix row in an axial slice, zero elsewhere, as an image of at most
/// `width` x `height` pixels. An image pixel that covers several voxels has the largest of their
/// weights. The work grows with the nonzeros of the row, not with the pixels of the slice.
SliceImage footprint(const RowWeights& row, const VolumeGrid& grid, int slice, int width,
                     int height);

/// The image of a ray under an element of the scan's symmetry group.
struct RayCopy {
  SymmetryElement element;
  RayIndex ray;
  RowWeights row;  ///< matrix row of the image: the weights of the original ray at mapped voxels
};

/// Returns the images of a ray, whose matrix row is `row`, under all elements of the group, the ray
/// itself first. A ray that is the image under several elements is listed once, with the first of
/// them.
std::vector<RayCopy> symmetric_copies(const ScanSymmetry& symmetry, const VolumeGrid& grid,
                                      RayIndex ray, const RowWeights& row);

}  // namespace gantry
