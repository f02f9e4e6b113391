#pragma once

#include <optional>
#include <span>
#include <vector>

namespace gantry {

/// A view near one end of a scan, its rows averaged in bands: [band][column].
struct ViewAtEnd {
  double place = 0;      ///< steps from the first view on, or from the last one back
  bool is_last = false;  ///< whether that end is the last one
  std::vector<double> lines;
};

/// The jump of a cell's values at the end of an arc: a weighted sum of the first views, behind the
/// end, less one of the last views, before it.
struct Jump {
  std::vector<double> weights;  ///< of the views, with a sum of 1 on either side
  double noise = 0;             ///< variance of the jump by noise of variance 1 in the views
};

/// Returns the jump at an end so many steps behind the last view, by least squares: but for the
/// jump, the values over the angle are one polynomial of third degree. The lines of the views are
/// not used.
Jump jump_at(std::span<const ViewAtEnd> views, double steps_to_end);

/// Whether an arc is open, and whether this is more than a guess.
struct ArcEnd {
  bool is_open = false;
  bool is_told = false;
};

/// Returns whether the last view of a half or whole turn lies a step before the end of the arc, or
/// at it. For both assumptions, a cell's values over the angle are a polynomial of third degree
/// across the end, and a jump there. The mean squared jump of all cells, less that of noise, is
/// that of the wrong step. In half a turn, the views behind the end are mirrored about the axis of
/// the least jump, for each assumption its own, so that nothing needs to be known of the axis. A
/// difference that does not turn with the object, as noise of the flats, makes the same jump by
/// both assumptions. Returns nothing for fewer than three views at either end.
std::optional<ArcEnd> arc_end(std::span<const ViewAtEnd> views, int columns, bool is_half_turn);

}  // namespace gantry
