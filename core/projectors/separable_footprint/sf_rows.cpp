#include "core/projectors/separable_footprint/sf_rows.hpp"

#include "core/operator/scan_rows.hpp"
#include "core/projectors/distance_driven/axial_rows.hpp"
#include "core/projectors/separable_footprint/sf_view.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>
#include <vector>

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
        rays_(geometry, view) {}

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
    const auto [i, k] = pixel(ix, iy);
    thread_local std::vector<double> in_plane;  // allocated once: there are many voxels
    in_plane.clear();
    const int first = add_in_plane(i, k, in_plane);
    add_cells(
        axial_.at(i, k), first, in_plane, iz,
        [&](int column, int row) { return cone_cosine(geometry_, column, row); },
        [&](std::size_t cell, double weight) { out.add(cell, weight); });
  }

  std::unique_ptr<SliceColumns> slice_columns() const override;

 private:
  friend class SfPlaneColumns;
  friend class SfSliceColumns;

  /// Returns the place of a voxel in the layers of the view: pixel i of layer k.
  std::pair<int, int> pixel(int ix, int iy) const {
    return view_.slices().along_y ? std::pair(ix, iy) : std::pair(iy, ix);
  }
  /// Appends the mean length of pixel i of layer k in each detector column that it touches, mm, and
  /// returns the first of these columns.
  int add_in_plane(int i, int k, std::vector<double>& out) const {
    const Trapezoid footprint = view_.footprint(i, k);
    const auto column = [&](double at) {
      return static_cast<int>(std::clamp(at, 0.0, static_cast<double>(geometry_.columns())));
    };
    const int first = column(std::floor(footprint.corner[0])),
              last = column(std::ceil(footprint.corner[3]));
    double below = footprint.area_below(first);
    for (int c = first; c < last; ++c) {
      const double next = footprint.area_below(c + 1);
      out.push_back(footprint.chord_mm * (next - below));
      below = next;
    }
    return first;
  }
  /// Calls add(cell, weight) for the cells of a voxel at height iz, given its detector rows and the
  /// lengths in its columns, in ascending order.
  template <class Cosine, class Add>
  void add_cells(const RowEdges& rows, int first_column, std::span<const double> in_plane, int iz,
                 const Cosine& cosine, const Add& add) const {
    const int first = planar_ ? 0 : row_at((iz - rows.origin) / rows.pitch),
              last = planar_ ? 1 : row_at((iz + 1 - rows.origin) / rows.pitch + 1);
    for (int row = first; row < last; ++row) {
      const double low = rows.origin + row * rows.pitch,
                   part = planar_ ? 1 : share(low, low + rows.pitch, iz);
      if (!(part > 0)) continue;
      int column = first_column;
      for (const double length : in_plane) {
        if (length > 0)
          add(cell_index(geometry_, column, row), length / cosine(column, row) * part);
        ++column;
      }
    }
  }
  int row_at(double place) const {
    return static_cast<int>(
        std::clamp(std::floor(place), 0.0, static_cast<double>(geometry_.rows())));
  }

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
};

/// The lengths in detector columns and the detector rows of all lines of voxels along z, which
/// their voxels have in common.
class SfSliceColumns final : public SliceColumns {
 public:
  explicit SfSliceColumns(const SfViewRows& view) : view_(view) {
    const ScanGeometry& scan = view.geometry_;
    for (int row = 0; row < scan.rows(); ++row)
      for (int column = 0; column < scan.columns(); ++column)
        cosine_.push_back(cone_cosine(scan, column, row));
    for (int iy = 0; iy < view.grid_.ny; ++iy)
      for (int ix = 0; ix < view.grid_.nx; ++ix) {
        const auto [i, k] = view.pixel(ix, iy);
        const std::size_t start = length_mm_.size();
        const int first = view.add_in_plane(i, k, length_mm_);
        lines_.push_back({view.axial_.at(i, k), first, start, length_mm_.size() - start});
      }
  }

  void append(int iz, ViewColumns& out) const override {
    const auto columns = static_cast<std::size_t>(view_.geometry_.columns());
    for (const Line& line : lines_) {
      view_.add_cells(
          line.rows, line.first_column, std::span(length_mm_).subspan(line.start, line.count), iz,
          [&](int column, int row) {
            return cosine_[static_cast<std::size_t>(row) * columns +
                           static_cast<std::size_t>(column)];
          },
          [&](std::size_t cell, double weight) {
            out.cell.push_back(static_cast<std::uint32_t>(cell));
            out.weight.push_back(static_cast<float>(weight));
          });
      out.start.push_back(out.cell.size());
    }
  }

 private:
  struct Line {
    RowEdges rows;
    int first_column;
    std::size_t start, count;  // in length_mm_
  };
  const SfViewRows& view_;
  std::vector<double> cosine_;  // of the rays to the cells with the plane of rotation
  std::vector<double> length_mm_;
  std::vector<Line> lines_;
};

/// The columns of a single slice, whose lines of voxels have one voxel.
class SfPlaneColumns final : public SliceColumns {
 public:
  explicit SfPlaneColumns(const SfViewRows& view) : view_(view) {}

  void append(int iz, ViewColumns& out) const override {
    std::vector<double> in_plane;
    for (int iy = 0; iy < view_.grid_.ny; ++iy)
      for (int ix = 0; ix < view_.grid_.nx; ++ix) {
        const auto [i, k] = view_.pixel(ix, iy);
        in_plane.clear();
        const int first = view_.add_in_plane(i, k, in_plane);
        view_.add_cells(
            {}, first, in_plane, iz,
            [&](int column, int row) { return cone_cosine(view_.geometry_, column, row); },
            [&](std::size_t cell, double weight) {
              out.cell.push_back(static_cast<std::uint32_t>(cell));
              out.weight.push_back(static_cast<float>(weight));
            });
        out.start.push_back(out.cell.size());
      }
  }

 private:
  const SfViewRows& view_;
};

std::unique_ptr<SliceColumns> SfViewRows::slice_columns() const {
  if (planar_) return std::make_unique<SfPlaneColumns>(*this);
  return std::make_unique<SfSliceColumns>(*this);
}

}  // namespace

std::unique_ptr<RowSource> make_sf_rows(std::shared_ptr<const ScanGeometry> geometry,
                                        const VolumeGrid& grid) {
  return std::make_unique<ScanRows<SfViewRows>>(std::move(geometry), grid);
}

}  // namespace gantry
