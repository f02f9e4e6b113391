#include "gui/render/volume/clip_box.hpp"

#include <algorithm>

namespace gantry {

ClipBox with_face(const ClipBox& box, const ClipFace& face, double to_mm, const VolumeGrid& grid) {
  const ClipBox whole = ClipBox::around(grid);
  const std::array<double, 3> voxel = {grid.spacing_mm.x, grid.spacing_mm.y, grid.spacing_mm.z};
  const std::size_t i = face.axis;
  ClipBox moved = box;
  if (face.high)
    moved.high[i] =
        std::clamp(to_mm, std::min(box.low[i] + voxel[i], whole.high[i]), whole.high[i]);
  else
    moved.low[i] = std::clamp(to_mm, whole.low[i], std::max(box.high[i] - voxel[i], whole.low[i]));
  return moved;
}

}  // namespace gantry
