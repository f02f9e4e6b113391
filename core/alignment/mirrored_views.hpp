#pragma once

#include "core/geometry/scan_geometry.hpp"

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

namespace gantry {

/// Views, and columns, below which a parallel beam is not asked for the axis of its mirror images.
inline constexpr int fewest_mirrored = 16;
/// Returns whether a scan is of a parallel beam that turns, with enough views and columns. Throws
/// ShapeError if the line integrals are not those of the geometry.
bool may_tell_mirror_axis(const ScanGeometry& geometry, std::span<const float> line_integrals);

/// Returns a view with its rows averaged in at most 16 bands, which is enough to compare views:
/// [band][column]. `line_integrals`: [view][row][column].
std::vector<double> bands_of_view(int rows, int columns, std::span<const float> line_integrals,
                                  int view);

/// Returns pairs of views half a turn apart, to a fifth of the distance of neighbouring views; of
/// more than `most` pairs some that are spread over the scan.
std::vector<std::pair<int, int>> opposite_pairs(const ScanGeometry& geometry, std::size_t most);

/// A view and the place opposite to it, which lies between two others.
struct OppositePlace {
  int view = 0;
  int before = 0, after = 0;  ///< neighbouring views
  double part = 0;            ///< of the way from `before` to `after`
};

/// Returns views half a turn away from a place between two neighbouring views, for scans without
/// opposite_pairs(); of more than `most` some that are spread over the scan.
std::vector<OppositePlace> opposite_places(const ScanGeometry& geometry, std::size_t most);

/// Where a line fits the mirror image of another one.
struct MirrorMatch {
  double column = 0;          ///< of the axis of the mirror image, a fractional index
  double mismatch = 1;        ///< the squared difference there, relative to the squared deviations
  double usual_mismatch = 1;  ///< the median of all columns
};

/// Returns where the mirror image of b fits a best, both [line][column], to a fraction of a column
/// by a parabola. The lines overlap by a quarter of their columns at least; lines of zeros match
/// nowhere (a mismatch of 1).
MirrorMatch mirror_match(std::span<const double> a, std::span<const double> b, int columns);

}  // namespace gantry
