#include "core/projectors/dd_rows.hpp"

#include "core/projectors/dd_view.hpp"

#include <algorithm>
#include <cmath>

namespace gantry {

namespace {

/// Part of the way from `low` to `high` (in pixels) that lies in pixel i, which spans i .. i + 1.
double share(double low, double high, int i) {
  return std::max(0.0, std::min(high, i + 1.0) - std::max(low, static_cast<double>(i))) /
         (high - low);
}

/// Pixels under an interval, cut to 0 .. size - 1.
struct PixelRange {
  int first, last;

  PixelRange(double low, double high, int size)
      : first(static_cast<int>(std::floor(std::clamp(low, 0.0, static_cast<double>(size))))),
        last(static_cast<int>(std::ceil(std::clamp(high, 0.0, static_cast<double>(size)))) - 1) {}
};

class DdViewRows final : public ViewRows {
 public:
  DdViewRows(const ScanGeometry& geometry, const VolumeGrid& grid, int view)
      : grid_(grid),
        planar_(is_planar(geometry, grid)),
        rays_(geometry, view),
        slices_(Slices::of(grid, looks_along_y(geometry.angle_rad(view)))) {}

  void weights(int column, int row, RowWeights& out) const override {
    out.clear();
    const Line left = line(column - 0.5, row), right = line(column + 0.5, row),
               below = line(column, row - 0.5), above = line(column, row + 0.5);
    const double path_mm = line(column, row).path_mm;
    for (int k = 0; k < slices_.count; ++k) {
      const double w_mm = slices_.w_first_mm + k * slices_.w_spacing_mm;
      const auto [u_low, u_high] = std::minmax({left.u(w_mm), right.u(w_mm)});
      const auto [z_low, z_high] = std::minmax({below.z(w_mm), above.z(w_mm)});
      const PixelRange pixels(u_low, u_high, slices_.width);
      const PixelRange heights =
          planar_ ? PixelRange(0, 1, 1) : PixelRange(z_low, z_high, grid_.nz);
      for (int i = pixels.first; i <= pixels.last; ++i)
        for (int z = heights.first; z <= heights.last; ++z) {
          const double weight =
              path_mm * share(u_low, u_high, i) * (planar_ ? 1.0 : share(z_low, z_high, z));
          if (weight > 0)
            out.add(slices_.along_y ? grid_.index(i, k, z) : grid_.index(k, i, z), weight);
        }
    }
  }

 private:
  /// A ray in (u, w) axes: where it meets the plane w, in pixels and in voxels along z.
  struct Line {
    double origin_u, origin_w, origin_z, slope_u, slope_z, path_mm;
    double u(double w_mm) const { return origin_u + (w_mm - origin_w) * slope_u; }
    double z(double w_mm) const { return origin_z + (w_mm - origin_w) * slope_z; }
  };

  Line line(double column, double row) const {
    const Ray ray = rays_.ray(column, row);
    const Vec3 o = ray.origin_mm, d = ray.direction, lower = grid_.lower_corner_mm();
    const bool y = slices_.along_y;
    const double dw = y ? d.y : d.x;
    return {((y ? o.x : o.y) - slices_.u_lower_mm) / slices_.u_spacing_mm,
            y ? o.y : o.x,
            (o.z - lower.z) / grid_.spacing_mm.z,
            (y ? d.x : d.y) / dw / slices_.u_spacing_mm,
            d.z / dw / grid_.spacing_mm.z,
            slices_.w_spacing_mm / std::abs(dw)};
  }

  VolumeGrid grid_;
  bool planar_;
  ViewRays rays_;
  Slices slices_;
};

class DdRows final : public RowSource {
 public:
  DdRows(std::shared_ptr<const ScanGeometry> geometry, const VolumeGrid& grid)
      : geometry_(std::move(geometry)), grid_(grid) {}
  std::unique_ptr<ViewRows> view_rows(int view) const override {
    return std::make_unique<DdViewRows>(*geometry_, grid_, view);
  }

 private:
  std::shared_ptr<const ScanGeometry> geometry_;
  VolumeGrid grid_;
};

}  // namespace

std::unique_ptr<RowSource> make_dd_rows(std::shared_ptr<const ScanGeometry> geometry,
                                        const VolumeGrid& grid) {
  return std::make_unique<DdRows>(std::move(geometry), grid);
}

}  // namespace gantry
