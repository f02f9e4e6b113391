#include "core/projectors/separable_footprint/sf_rows.hpp"

#include "core/geometry/cell_shadow.hpp"
#include "core/operator/scan_rows.hpp"
#include "core/projectors/distance_driven/axial_rows.hpp"
#include "core/projectors/separable_footprint/sf_view.hpp"

#include <algorithm>
#include <cmath>

namespace gantry {

double cone_cosine(const ScanGeometry& geometry, double column, double row) {
  if (geometry.beam() != Beam::cone) return 1;
  const ScanSpec& spec = geometry.spec();
  const double rise = (row - spec.central_row) * spec.row_pitch_mm;
  const double along = (column - spec.central_column) * spec.column_pitch_mm;
  const double in_plane = spec.detector == DetectorShape::arc
                              ? spec.source_to_detector_mm
                              : std::hypot(spec.source_to_detector_mm, along);
  return in_plane / std::hypot(in_plane, rise);
}

namespace {

/// Returns the fraction of the interval [low, high] inside voxel z, which spans z .. z + 1.
double share(double low, double high, int z) {
  return std::max(0.0, std::min(high, z + 1.0) - std::max(low, static_cast<double>(z))) /
         (high - low);
}

class SfViewRows final : public ViewRows {
 public:
  static constexpr std::string_view name = "separable_footprint";

  SfViewRows(const ScanGeometry& geometry, const VolumeGrid& grid, int view)
      : geometry_(geometry),
        grid_(grid),
        planar_(is_planar(geometry, grid)),
        view_(geometry, grid, view),
        axial_(geometry, grid, view),
        rays_(geometry, view),
        shadow_(geometry, view, false) {}

  void weights(int column, int row, RowWeights& out) const override {
    out.clear();
    const Layers& slices = view_.slices();
    const double cosine = cone_cosine(geometry_, column, row);
    for (int k = 0; k < slices.count; ++k) {
      const auto [first, last] = pixels_near(column, row, k);
      for (int i = first; i <= last; ++i) {
        const double in_plane = view_.footprint(i, k).weight_mm(column);
        if (in_plane <= 0) continue;
        if (planar_)
          out.add(voxel(i, k, 0), in_plane);
        else
          add_column(i, k, row, in_plane / cosine, out);
      }
    }
  }

  void voxel_weights(int ix, int iy, int iz, CellWeights& out) const override {
    out.clear();
    const bool along_y = view_.slices().along_y;
    const int i = along_y ? ix : iy, k = along_y ? iy : ix;
    const Trapezoid footprint = view_.footprint(i, k);
    if (planar_) {
      // In the plane of rotation, the footprint says itself which cells it touches.
      const auto cell = [&](double at) {
        return static_cast<int>(std::clamp(at, 0.0, static_cast<double>(geometry_.columns())));
      };
      const int first = cell(std::floor(footprint.corner[0])),
                last = cell(std::ceil(footprint.corner[3]));
      double below = footprint.area_below(first);
      for (int column = first; column < last; ++column) {
        const double next = footprint.area_below(column + 1),
                     weight = footprint.chord_mm * (next - below);
        if (weight > 0) out.add(static_cast<std::size_t>(column), weight);
        below = next;
      }
      return;
    }
    const RowEdges edges = axial_.at(i, k);
    const CellRange cells = shadow_.of(grid_.voxel_center_mm(ix, iy, iz), 0.5 * grid_.spacing_mm);
    for (int column = cells.first_column; column <= cells.last_column; ++column) {
      const double in_plane = footprint.weight_mm(column);
      if (in_plane <= 0) continue;
      for (int row = cells.first_row; row <= cells.last_row; ++row) {
        const double low = edges.origin + row * edges.pitch;
        const double weight =
            in_plane / cone_cosine(geometry_, column, row) * share(low, low + edges.pitch, iz);
        if (weight > 0) out.add(cell_index(geometry_, column, row), weight);
      }
    }
  }

  // In a slice, a pixel touches two or three cells; a cell has more pixels near it.
  bool projects_voxels_fast() const override { return planar_; }

 private:
  std::size_t voxel(int i, int k, int z) const {
    return view_.slices().along_y ? grid_.index(i, k, z) : grid_.index(k, i, z);
  }

  void add_column(int i, int k, int row, double weight, RowWeights& out) const {
    const RowEdges edges = axial_.at(i, k);
    const double low = edges.origin + row * edges.pitch, high = low + edges.pitch;
    const int first = static_cast<int>(std::clamp(low, 0.0, static_cast<double>(grid_.nz)));
    for (int z = first; z < grid_.nz && z < high; ++z)
      if (const double part = share(low, high, z); part > 0) out.add(voxel(i, k, z), weight * part);
  }

  /// Returns the first and the last pixel of a layer whose footprints may touch the cell: the
  /// pixels between the rays to the cell's edges on both faces of the layer, with a margin of a
  /// pixel.
  std::pair<int, int> pixels_near(int column, int row, int k) const {
    const Layers& s = view_.slices();
    double low = 1e300, high = -1e300;
    for (const double edge : {-0.5, 0.5}) {
      const Ray ray = rays_.ray(column + edge, row);
      const Vec3 o = ray.origin_mm, d = ray.direction;
      for (const double side : {-0.5, 0.5}) {
        const double w = s.w_first_mm + (k + side) * s.w_spacing_mm;
        const double u = s.along_y ? o.x + (w - o.y) / d.y * d.x : o.y + (w - o.x) / d.x * d.y;
        low = std::min(low, u);
        high = std::max(high, u);
      }
    }
    const auto pixel = [&](double u) {
      return static_cast<int>(
          std::floor(std::clamp((u - s.u_lower_mm) / s.u_spacing_mm, -2.0, s.width + 2.0)));
    };
    return {std::max(0, pixel(low) - 1), std::min(s.width - 1, pixel(high) + 1)};
  }

  const ScanGeometry& geometry_;
  VolumeGrid grid_;
  bool planar_;
  SfView view_;
  AxialRows axial_;
  ViewRays rays_;
  CellShadow shadow_;
};

}  // namespace

std::unique_ptr<RowSource> make_sf_rows(std::shared_ptr<const ScanGeometry> geometry,
                                        const VolumeGrid& grid) {
  return std::make_unique<ScanRows<SfViewRows>>(std::move(geometry), grid);
}

}  // namespace gantry
