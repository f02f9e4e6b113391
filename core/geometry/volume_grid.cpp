#include "core/geometry/volume_grid.hpp"

#include "core/base/error.hpp"
#include "core/base/params.hpp"
#include "core/base/text_stream.hpp"

#include <cmath>

namespace gantry {

VolumeGrid VolumeGrid::centered(int nx, int ny, int nz, Vec3 spacing_mm) {
  VolumeGrid grid{nx, ny, nz, spacing_mm, {}};
  grid.origin_mm = {-0.5 * (nx - 1) * spacing_mm.x, -0.5 * (ny - 1) * spacing_mm.y,
                    -0.5 * (nz - 1) * spacing_mm.z};
  return grid;
}

void VolumeGrid::validate(const std::string& where) const {
  constexpr int largest = 65536;
  for (const int n : {nx, ny, nz})
    if (n < 1 || n > largest)
      throw InputError("grid size " + std::to_string(n) + " is not usable", where,
                       "use 1 to 65536 voxels a side");
  for (const double spacing : {spacing_mm.x, spacing_mm.y, spacing_mm.z})
    if (!(spacing >= 1e-7 && spacing <= 1e9))  // outside, products leave the range of float
      throw InputError("voxel size " + format_param(spacing) + " mm is not usable", where,
                       "use a positive size, 1e-7 to 1e9 mm");
  for (const double origin : {origin_mm.x, origin_mm.y, origin_mm.z})
    if (!(std::abs(origin) <= 1e12))
      throw InputError("grid origin " + format_param(origin) + " mm is not usable", where,
                       "give it in mm");
}

std::string describe(const VolumeGrid& grid, bool lengths_are_known) {
  TextStream text;
  text.precision(4);
  text << grid.nx << " x " << grid.ny;
  if (grid.nz > 1) text << " x " << grid.nz;
  text << " of " << grid.spacing_mm.x;
  const bool square = grid.spacing_mm.x == grid.spacing_mm.y;
  if (!square || (grid.nz > 1 && grid.spacing_mm.z != grid.spacing_mm.x))
    text << " x " << grid.spacing_mm.y;
  if (grid.nz > 1 && !(square && grid.spacing_mm.z == grid.spacing_mm.x))
    text << " x " << grid.spacing_mm.z;
  text << (lengths_are_known ? " mm" : " cells");
  return text.str();
}

}  // namespace gantry
