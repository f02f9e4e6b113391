#include "core/data/resample.hpp"

#include <algorithm>
#include <cmath>

namespace gantry {

namespace {

/// The two voxels next to a position along one axis. `share` is the weight of `high` in linear
/// interpolation; `inside` says whether the position lies within the faces of the volume.
struct Neighbours {
  int low, high;
  double share;
  bool inside;
};

Neighbours neighbours(double position_mm, double origin_mm, double spacing_mm, int count) {
  if (count == 1) return {0, 0, 0, std::abs(position_mm - origin_mm) <= 0.5 * spacing_mm};
  const double place = (position_mm - origin_mm) / spacing_mm;
  const double inside = std::clamp(place, 0.0, count - 1.0);
  const int low = std::min(static_cast<int>(inside), count - 2);
  return {low, low + 1, inside - low, place >= -0.5 && place <= count - 0.5};
}

}  // namespace

std::vector<float> resample_volume(const VolumeGrid& from, std::span<const float> values,
                                   const VolumeGrid& to) {
  std::vector<float> result(to.voxels(), 0.0F);
#pragma omp parallel for schedule(static)
  for (int iz = 0; iz < to.nz; ++iz)
    for (int iy = 0; iy < to.ny; ++iy)
      for (int ix = 0; ix < to.nx; ++ix) {
        const Vec3 p = to.voxel_center_mm(ix, iy, iz);
        const Neighbours x = neighbours(p.x, from.origin_mm.x, from.spacing_mm.x, from.nx);
        const Neighbours y = neighbours(p.y, from.origin_mm.y, from.spacing_mm.y, from.ny);
        Neighbours z = neighbours(p.z, from.origin_mm.z, from.spacing_mm.z, from.nz);
        z.inside = z.inside || from.nz == 1;
        if (!x.inside || !y.inside || !z.inside) continue;
        const auto at = [&](int a, int b, int c) {
          return static_cast<double>(values[from.index(a, b, c)]);
        };
        const auto row = [&](int b, int c) {
          return (1 - x.share) * at(x.low, b, c) + x.share * at(x.high, b, c);
        };
        const auto plane = [&](int c) {
          return (1 - y.share) * row(y.low, c) + y.share * row(y.high, c);
        };
        result[to.index(ix, iy, iz)] =
            static_cast<float>((1 - z.share) * plane(z.low) + z.share * plane(z.high));
      }
  return result;
}

}  // namespace gantry
