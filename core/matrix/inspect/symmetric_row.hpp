#pragma once

#include "core/data/slice.hpp"
#include "core/geometry/symmetry.hpp"
#include "core/operator/projector.hpp"

#include <vector>

namespace gantry {

/// Row `ray` of A. Throws UsageError when the projector gives no single weights.
RowWeights row_of(const Projector& weights, RayIndex ray);

/// What a row weighs the pixels of an axial slice by, zero elsewhere, as a picture of at most
/// `width` x `height` pixels: where they are fewer, each is the largest weight beneath it. The work
/// is that of the row, not of the slice.
SliceImage footprint(const RowWeights& row, const VolumeGrid& grid, int slice, int width,
                     int height);

/// A ray that a symmetry of the scan makes of another.
struct RayCopy {
  SymmetryElement element;
  RayIndex ray;
  RowWeights row;  ///< A's, as it is restored from that of the first: the same weights elsewhere
};

/// The images of a ray under all symmetries that hold, itself first; a ray that several elements
/// lead to comes once, by the first of them.
std::vector<RayCopy> symmetric_copies(const ScanSymmetry& symmetry, const VolumeGrid& grid,
                                      RayIndex ray, const RowWeights& row);

}  // namespace gantry
