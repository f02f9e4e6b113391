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

/// The ray that is looked at has the first colour of runs, the voxel the second; copies of the ray
/// the others in turn.
QColor ray_colour(std::size_t copy, const QPalette& palette);
QColor voxel_colour(const QPalette& palette);

/// Dots the darker (in a dark window the lighter) the more nonzeros lie beneath them, by the
/// logarithm.
QImage sparsity_picture(const ViewSparsity& sparsity, const QPalette& palette);

/// Footprints over a faint slice: the stronger the weight, the fuller the colour. Where several
/// meet, the first is on top. The slice may be null.
struct FootprintLook {
  int slice = 0;
  bool up = true;  ///< +y upwards
  QSize dots;
  const SliceImage* behind = nullptr;
};
QImage footprint_picture(const std::vector<RayCopy>& rays, const VolumeGrid& grid,
                         const FootprintLook& look, const QPalette& palette);

/// Weights of a column, views downwards and cells across; those of several detector rows add up.
/// In fewer dots, each is the largest beneath it.
QImage column_picture(const std::vector<RayWeight>& column, QSize elements, QSize dots,
                      const QPalette& palette);

/// The fuller of blocks with nonzeros a dot, the darker, up to `fullest`.
QImage occupancy_picture(const BlockOccupancy& blocks, float fullest, const QPalette& palette);

}  // namespace gantry
