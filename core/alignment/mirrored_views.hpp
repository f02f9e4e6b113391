#pragma once

#include "core/geometry/scan_geometry.hpp"

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

namespace gantry {

/// Least number of views, and of columns, from which the axis of mirror images is estimated.
inline constexpr int fewest_mirrored = 16;
/// Returns whether a scan is of a parallel beam that turns, with enough views and columns. Throws
/// ShapeError if the line integrals are not those of the geometry.
bool may_tell_mirror_axis(const ScanGeometry& geometry, std::span<const float> line_integrals);

/// Returns a view with its rows averaged in at most 16 bands, which is enough to compare views:
/// [band][column]. `line_integrals`: [view][row][column].
std::vector<double> bands_of_view(int rows, int columns, std::span<const float> line_integrals,
                                  int view);

/// Replaces lines by their difference, and the other ones by the difference of opposite sign. What
/// both have in common, as the gain of cells, is then gone; mirror images remain mirror images.
void take_difference(std::span<double> one, std::span<double> other);

/// Returns pairs of views half a turn apart, to a fifth of the distance of neighbouring views; at
/// most `most` pairs, spread over the scan.
std::vector<std::pair<int, int>> opposite_pairs(const ScanGeometry& geometry, std::size_t most);

/// A view and the place opposite to it, which lies between two others.
struct OppositePlace {
  int view = 0;
  int before = 0, after = 0;  ///< neighbouring views
  double part = 0;            ///< of the way from `before` to `after`
};

/// Returns views half a turn away from a place between two neighbouring views, for scans without
/// opposite_pairs(); at most `most`, spread over the scan.
std::vector<OppositePlace> opposite_places(const ScanGeometry& geometry, std::size_t most);

/// The axis about which one line is the mirror image of another one.
struct MirrorMatch {
  double column = 0;          ///< of the axis of the mirror image, a fractional index
  double mismatch = 1;        ///< the squared difference there, relative to the squared deviations
  double usual_mismatch = 1;  ///< the median of the mismatch over all columns
};

/// Returns the axis about which the mirror image of b fits a best, both [line][column], to a
/// fraction of a column by a parabola. The lines must overlap by a quarter of their columns; for
/// lines of zeros, the mismatch is 1 everywhere.
MirrorMatch mirror_match(std::span<const double> a, std::span<const double> b, int columns);

}  // namespace gantry
