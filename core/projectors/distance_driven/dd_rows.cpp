#include "core/projectors/distance_driven/dd_rows.hpp"

#include "core/geometry/cell_shadow.hpp"
#include "core/operator/scan_rows.hpp"
#include "core/projectors/distance_driven/dd_view.hpp"

#include <algorithm>
#include <cmath>

namespace gantry {

namespace {

/// Returns the fraction of the interval [low, high] (in pixels) inside pixel i, which spans
/// i .. i + 1.
double share(double low, double high, int i) {
  return std::max(0.0, std::min(high, i + 1.0) - std::max(low, static_cast<double>(i))) /
         (high - low);
}

/// The pixels first .. last under an interval, cut to 0 .. size - 1.
struct PixelRange {
  int first, last;

  PixelRange(double low, double high, int size)
      : first(static_cast<int>(std::floor(std::clamp(low, 0.0, static_cast<double>(size))))),
        last(static_cast<int>(std::ceil(std::clamp(high, 0.0, static_cast<double>(size)))) - 1) {}
};

class DdViewRows final : public ViewRows {
 public:
  static constexpr std::string_view name = "distance_driven";

  DdViewRows(const ScanGeometry& geometry, const VolumeGrid& grid, int view)
      : grid_(grid),
        spec_(geometry.spec()),
        pose_(geometry.view(view)),
        planar_(is_planar(geometry, grid)),
        diverges_(geometry.beam() == Beam::cone),
        rays_(geometry, view),
        slices_(Layers::of(grid, looks_along_y(geometry.angle_rad(view)))),
        shadow_(geometry, view, planar_) {}

  void weights(int column, int row, RowWeights& out) const override {
    out.clear();
    const Line left = line(column - 0.5, row), right = line(column + 0.5, row);
    const double path_mm = line(column, row).path_mm;
    for (int k = 0; k < slices_.count; ++k) {
      const double w_mm = slices_.w_first_mm + k * slices_.w_spacing_mm;
      const auto [u_low, u_high] = std::minmax({left.u(w_mm), right.u(w_mm)});
      const PixelRange pixels(u_low, u_high, slices_.width);
      for (int i = pixels.first; i <= pixels.last; ++i)
        if (const double weight = path_mm * share(u_low, u_high, i); weight > 0)
          add_column(i, k, row, weight, out);
    }
  }

  void voxel_weights(int ix, int iy, int iz, CellWeights& out) const override {
    out.clear();
    const int i = slices_.along_y ? ix : iy, k = slices_.along_y ? iy : ix;
    const double w_mm = slices_.w_first_mm + k * slices_.w_spacing_mm;
    const CellRange cells = shadow_.of(grid_.voxel_center_mm(ix, iy, iz), 0.5 * grid_.spacing_mm);
    for (int row = cells.first_row; row <= cells.last_row; ++row) {
      const double part = planar_ ? 1 : row_part(i, k, row, iz);
      for (int column = cells.first_column; part > 0 && column <= cells.last_column; ++column) {
        const auto [u_low, u_high] =
            std::minmax({line(column - 0.5, row).u(w_mm), line(column + 0.5, row).u(w_mm)});
        const double weight = line(column, row).path_mm * share(u_low, u_high, i) * part;
        if (weight > 0) out.add(cell_index(spec_, column, row), weight);
      }
    }
  }

 private:
  /// Adds the voxels under a detector row on the voxel line of pixel i of layer k; their weights
  /// add up to `weight` if the row lies inside the volume.
  void add_column(int i, int k, int row, double weight, RowWeights& out) const {
    const auto voxel = [&](int z) {
      return slices_.along_y ? grid_.index(i, k, z) : grid_.index(k, i, z);
    };
    if (planar_) return out.add(voxel(0), weight);
    const auto [low, high] = row_interval(i, k, row);
    const PixelRange heights(low, high, grid_.nz);
    for (int z = heights.first; z <= heights.last; ++z)
      if (const double part = share(low, high, z); part > 0) out.add(voxel(z), weight * part);
  }

  /// Returns the heights of a detector row's edges on the voxel line of pixel i of layer k, in
  /// voxels.
  std::pair<double, double> row_interval(int i, int k, int row) const {
    const double zoom =
        this->zoom(grid_.voxel_center_mm(slices_.along_y ? i : k, slices_.along_y ? k : i, 0));
    const auto height = [&](double row_edge) {
      const double above_mm = (row_edge - spec_.central_row) * spec_.row_pitch_mm * zoom;
      return (pose_.source_mm.z + above_mm - grid_.lower_corner_mm().z) / grid_.spacing_mm.z;
    };
    return {height(row - 0.5), height(row + 0.5)};
  }
  double row_part(int i, int k, int row, int iz) const {
    const auto [low, high] = row_interval(i, k, row);
    return share(low, high, iz);
  }

  /// Returns 1 / magnification at a point, whatever its height.
  double zoom(Vec3 p) const {
    if (!diverges_) return 1;
    Vec3 from_source = p - pose_.source_mm, axis = pose_.detector_mm - pose_.source_mm;
    from_source.z = axis.z = 0;
    const double depth = spec_.detector == DetectorShape::arc ? norm(from_source)
                                                              : dot(from_source, normalized(axis));
    return depth / spec_.source_to_detector_mm;
  }

  /// A ray projected onto the (u, w) axes; u(w) is where the ray meets the plane w, in pixels.
  struct Line {
    double origin_u, origin_w, slope_u, path_mm;
    double u(double w_mm) const { return origin_u + (w_mm - origin_w) * slope_u; }
  };

  Line line(double column, double row) const {
    const Ray ray = rays_.ray(column, row);
    const Vec3 o = ray.origin_mm, d = ray.direction;
    const bool y = slices_.along_y;
    const double dw = y ? d.y : d.x;
    return {((y ? o.x : o.y) - slices_.u_lower_mm) / slices_.u_spacing_mm, y ? o.y : o.x,
            (y ? d.x : d.y) / dw / slices_.u_spacing_mm, slices_.w_spacing_mm / std::abs(dw)};
  }

  VolumeGrid grid_;
  const ScanSpec& spec_;
  View pose_;
  bool planar_, diverges_;
  ViewRays rays_;
  Layers slices_;
  CellShadow shadow_;
};

}  // namespace

std::unique_ptr<RowSource> make_dd_rows(std::shared_ptr<const ScanGeometry> geometry,
                                        const VolumeGrid& grid) {
  return std::make_unique<ScanRows<DdViewRows, RowDefinition::distance_driven>>(std::move(geometry),
                                                                                grid);
}

}  // namespace gantry
