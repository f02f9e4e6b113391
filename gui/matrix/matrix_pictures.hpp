#pragma once

#include "core/matrix/inspect/block_occupancy.hpp"
#include "core/matrix/inspect/symmetric_row.hpp"
#include "core/matrix/inspect/view_sparsity.hpp"
#include "core/matrix/inspect/voxel_column.hpp"
#include "gui/widgets/raster.hpp"

#include <QColor>
#include <QImage>
#include <QPalette>
#include <QSize>

#include <cstddef>
#include <vector>

namespace gantry {

// The pictures of the matrix explorer, in colours that suit the palette.

/// Returns the colour of a ray in pictures: copy 0, the chosen ray, has the first colour of runs,
/// its symmetric copies have the third and following. The voxel (voxel_colour) has the second.
QColor ray_colour(std::size_t copy, const QPalette& palette);
QColor voxel_colour(const QPalette& palette);

/// Draws the pattern of a view: a dot is darker (in a dark window lighter), by a logarithmic scale,
/// the more nonzeros lie beneath it.
QImage sparsity_picture(const ViewSparsity& sparsity, const QPalette& palette);

/// The frame of a picture of footprints: slice index, direction of +y, size of the picture, and the
/// slice image that is drawn faintly behind them (may be null).
struct FootprintLook {
  int slice = 0;
  bool up = true;  ///< +y runs upwards
  QSize dots;
  const SliceImage* behind = nullptr;
};
/// Draws the footprints of rays over a faint slice: the larger a weight, the stronger the colour.
/// Where several footprints overlap, that of the first ray is on top.
QImage footprint_picture(const std::vector<RayCopy>& rays, const VolumeGrid& grid,
                         const FootprintLook& look, const QPalette& palette);

/// Draws the weights of a matrix column: views downwards, detector columns across, summed over
/// detector rows. `elements` is (detector columns, views). Where a dot covers several elements it
/// shows the largest.
QImage column_picture(const std::vector<RayWeight>& column, QSize elements, QSize dots,
                      const QPalette& palette);

/// Draws the occupancy of blocks: a dot is darker, up to `fullest`, the larger the part of the
/// blocks beneath it that hold nonzeros.
QImage occupancy_picture(const BlockOccupancy& blocks, float fullest, const QPalette& palette);

}  // namespace gantry
