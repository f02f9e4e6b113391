#pragma once

#include "core/data/slice.hpp"

#include <QSize>

#include <vector>

class QGridLayout;
class QWidget;

namespace gantry {

/// Rows and columns in which tiles stand. Those of the last row may be wider than the others.
struct TileGrid {
  int columns = 1, rows = 1;
  int in_last_row = 1;  ///< places of the last row, which share its width

  friend bool operator==(const TileGrid&, const TileGrid&) = default;
};

/// Returns the number of columns with which pictures of this ratio of width to height are largest,
/// each clear of the header of its tile; of those whose tiles have room for a header, if there are
/// any. Sizes in logical pixels.
int best_columns(int tiles, double aspect, int width, int height, int least_width = 100);

/// Returns the grid with which the pictures have the most area on a stage of this size. All
/// pictures are equally large, because they are compared.
TileGrid best_grid(int tiles, double aspect, QSize stage);

/// Returns the ratio of width to height of the slices of a grid along an axis, in mm.
double slice_aspect(const VolumeGrid& grid, Axis axis);
double slice_aspect(const SliceImage& slice);

/// Puts the tiles into a layout from which they have been removed.
void place_tiles(QGridLayout& layout, const std::vector<QWidget*>& tiles, const TileGrid& grid);

}  // namespace gantry
