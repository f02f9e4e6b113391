#include "gui/stage/tile_grid.hpp"

#include "gui/render/slice_decoration.hpp"

#include <QGridLayout>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace gantry {

namespace {

/// Returns the height that remains for the picture of a tile below the header.
double room_in(double tile_height) {
  return std::max(1.0, tile_height - sliceHeaderHeight(tile_height));
}

/// Divides the width or the height of a layout equally among its first `lines` columns or rows;
/// further ones, which are empty, get none.
void share(QGridLayout& layout, bool are_rows, int lines) {
  const int known = are_rows ? layout.rowCount() : layout.columnCount();
  for (int i = 0; i < std::max(known, lines); ++i) {
    const int stretch = i < lines ? 1 : 0;
    are_rows ? layout.setRowStretch(i, stretch) : layout.setColumnStretch(i, stretch);
  }
}

}  // namespace

int best_columns(int tiles, double aspect, int width, int height, int least_width) {
  constexpr double worthwhile = 1.05;
  int best = 1;
  double best_height = 0;
  bool best_is_titled = false;
  for (int columns = 1; columns <= tiles; ++columns) {
    const int rows = (tiles + columns - 1) / columns;
    const double tile_width = static_cast<double>(width) / columns,
                 tile_height = static_cast<double>(height) / rows;
    const bool is_titled = tile_width >= least_width && sliceHeaderHeight(tile_height) > 0;
    const double picture = std::min(tile_width / aspect, room_in(tile_height));
    // More columns leave less room for titles; therefore pictures must become clearly larger.
    const bool is_larger = is_titled == best_is_titled && picture > worthwhile * best_height;
    if (!is_larger && !(is_titled && !best_is_titled)) continue;
    best = columns;
    best_height = picture;
    best_is_titled = is_titled;
  }
  return best;
}

TileGrid best_grid(int tiles, double aspect, QSize stage) {
  TileGrid grid;
  grid.columns = best_columns(tiles, aspect, stage.width(), stage.height());
  grid.rows = std::max(1, (tiles + grid.columns - 1) / grid.columns);
  const int in_last = tiles - (grid.rows - 1) * grid.columns;
  // The tiles of the last row share its whole width, unless their pictures would then be larger
  // than the others.
  const double room = room_in(static_cast<double>(stage.height()) / grid.rows);
  const bool are_wide = static_cast<double>(stage.width()) / grid.columns >= room * aspect;
  grid.in_last_row = are_wide ? std::max(1, in_last) : grid.columns;
  return grid;
}

double slice_aspect(const VolumeGrid& grid, Axis axis) {
  const Vec3& side = grid.spacing_mm;
  const double x = grid.nx * side.x, y = grid.ny * side.y, z = grid.nz * side.z;
  return axis == Axis::axial ? x / y : (axis == Axis::coronal ? x : y) / z;
}

double slice_aspect(const SliceImage& slice) {
  return std::abs(slice.width * slice.du_mm / (slice.height * slice.dv_mm));
}

void place_tiles(QGridLayout& layout, const std::vector<QWidget*>& tiles, const TileGrid& grid) {
  const int all = std::lcm(grid.columns, grid.in_last_row);
  for (int i = 0; i < static_cast<int>(tiles.size()); ++i) {
    const int row = i / grid.columns,
              span = all / (row == grid.rows - 1 ? grid.in_last_row : grid.columns);
    layout.addWidget(tiles[static_cast<std::size_t>(i)], row, i % grid.columns * span, 1, span);
  }
  share(layout, true, grid.rows);
  share(layout, false, all);
}

}  // namespace gantry
