#pragma once

#include "core/geometry/scan_geometry.hpp"
#include "core/geometry/volume_grid.hpp"

#include <limits>
#include <span>

namespace gantry {

// Measures of slices, which are least for the sharpest slice. They are taken in the largest circle
// of the grid without its rim, at which the slice of a wrong axis has artefacts. `mu`: [iy][ix],
// 1/mm.

/// Returns the sum of negative values, which a wrong axis adds as streaks in scans of half a turn,
/// relative to the sum of all values: Q_IN of Donath et al., J. Opt. Soc. Am. A 23 (2006) 1048.
/// Infinity where the negative values are more than half of the sum, as in noise.
double negativity(std::span<const float> mu, const VolumeGrid& grid);

/// Returns 1 / the mean square of the gradient, mm^4: in scans of a whole turn a wrong axis blurs
/// the edges. Infinity where the slice is constant.
double smoothness(std::span<const float> mu, const VolumeGrid& grid);

/// Returns whether a wrong axis shows in the negative values of the slices of a scan: for half a
/// turn and short scans. For whole turns the strength of the gradients is the better measure.
bool negative_values_show_axis(const ScanSpec& spec);

/// Both measures of the middle slice of an image, NaN where they are not known.
struct SliceSharpness {
  double negativity = std::numeric_limits<double>::quiet_NaN();
  double gradient = negativity;  ///< root of the mean square of the gradient, 1/mm^2
};

/// `mu`: [iz][iy][ix] of the grid, 1/mm. Throws ShapeError for another number of values.
SliceSharpness middle_slice_sharpness(std::span<const float> mu, const VolumeGrid& grid);

}  // namespace gantry
