// Prefix sums in both directions of a footprint. Forward: the volume is summed up along z once per
// product; differences of these sums between the projected row edges are the means of a voxel line
// in the rows; the means are summed up across the pixels of a layer, and these sums are evaluated
// once at each edge of the detector columns. Transpose: the cells are summed up across the detector
// columns once per view; differences of these sums between the two sides of a pixel are what the
// pixel receives from each row; these are summed up along the rows, and the sums are evaluated once
// at each voxel edge. The magnification along z depends on the voxel line, so that a rectangle in a
// table of sums over both directions would not be exact (Liu et al. 2017 use one, and their pair is
// not exact); sums over one direction at a time are exact.
//
// Forward sums add up the voxels under a row and then the means under a cell. Both stay below 2^30
// units, since the sum of any longest_footprint() voxels does. A mean is computed in float32 and
// truncated to whole units: it has 24 bits and is not rounded again in the product with a weight.
#include "core/projectors/distance_driven/dd_branchless_3d.hpp"

#include "core/projectors/distance_driven/distance_driven_3d.hpp"
#include "core/projectors/distance_driven/prefix_kernels.hpp"
#include "core/projectors/distance_driven/z_sums.hpp"

#include <algorithm>

namespace gantry {

namespace {

class Branchless3d final : public DistanceDriven3d {
 public:
  Branchless3d(Backend& backend, std::shared_ptr<const ScanGeometry> geometry,
               const VolumeGrid& grid)
      : DistanceDriven3d(backend, std::move(geometry), grid) {}

 private:
  class Sums final : public ForwardVolume {
   public:
    Sums(Backend& backend, const VolumeGrid& grid, const float* volume, const PrefixUnit& unit)
        : sums_(backend, grid, volume, unit), unit_(unit.value()) {}
    double unit() const override { return unit_; }

    void add(int first, int last, DdView3d& view) const override {
      Lines lines(static_cast<std::size_t>(view.rows()));
      for (int k = first; k < last; ++k) add_slice(k, view, lines);
    }

   private:
    /// Sums across the pixels of a layer, by detector row: up to the lower (low) and the upper side
    /// (high) of the present pixel, and up to the lower edge of the present cell (at_edge).
    /// `at_rows` is scratch memory.
    struct Lines {
      LayerEdges edges;
      std::vector<std::int32_t> low, high, at_edge, at_rows;
      explicit Lines(std::size_t rows) : low(rows), high(rows), at_edge(rows), at_rows(rows + 1) {}
    };

    void add_slice(int k, DdView3d& view, Lines& lines) const {
      LayerEdges& edges = lines.edges;
      edges.set(view.table(), k);
      const Span rows = seen_rows(view, k, sums_.voxels());
      const int last = edges.last_pixel();
      int i = edges.first_pixel();
      if (i >= last || rows.count == 0) return;
      std::fill_n(lines.high.begin(), rows.count, 0);
      add_pixel(i, k, rows, view, lines);
      int c = edges.cell_at(i);
      prefix_kernels().interpolate(lines.low.data(), lines.high.data(),
                                   edges.fraction_of_pixel(c, i), rows.count, lines.at_edge.data());
      for (; c < edges.cells() && edges[c] < last; ++c) {
        while (edges[c + 1] > i + 1 && i + 1 < last) add_pixel(++i, k, rows, view, lines);
        prefix_kernels().add_up_to(lines.low.data(), lines.high.data(),
                                   edges.fraction_of_pixel(c + 1, i), edges.inverse_scale(),
                                   rows.count, lines.at_edge.data(), view.column(c) + rows.first);
      }
    }

    void add_pixel(int i, int k, const Span& rows, const DdView3d& view, Lines& lines) const {
      const RowEdges axial = view.axial().at(i, k);
      lines.low.swap(lines.high);
      prefix_kernels().add_means(line_of(sums_, view, i, k), sums_.voxels(),
                                 axial.origin + rows.first * axial.pitch, axial.pitch,
                                 static_cast<float>(1 / axial.pitch), rows.count,
                                 lines.at_rows.data(), lines.low.data(), lines.high.data());
    }

    ZSums sums_;
    double unit_;
  };

  std::unique_ptr<ForwardVolume> forward_volume(const float* volume) const override {
    const PrefixUnit unit(volume, grid().voxels(), longest_footprint());
    return std::make_unique<Sums>(backend(), grid(), volume, unit);
  }

  /// Returns an upper bound of the number of cells whose footprints cover a voxel.
  static double cells_per_voxel(const DdView3d& view) {
    const DdView& table = view.table();
    const double narrowest =
        table.smallest_scale() / *std::ranges::max_element(table.inverse_width);
    return std::min<double>(table.cells(), 1 / narrowest + 2) *
           std::min<double>(view.rows(), 1 / view.axial().smallest_pitch() + 2);
  }

  /// Computes the prefix sums [edge of the table][row]: 0 at the first edge, the sum of all cells
  /// of the row at the last.
  void prepare(DdView3d& view) const override {
    const int cells = view.table().cells();
    const auto rows = static_cast<std::size_t>(view.rows());
    for (int c = 0; c < cells; ++c) {
      const auto cell = static_cast<std::size_t>(c);
      const float width = view.table().edge[cell + 1] - view.table().edge[cell];
      for (std::size_t q = 0; q < rows; ++q) view.column(c)[q] *= width;
    }
    const PrefixUnit unit(view.values().data(), view.values().size(), cells_per_voxel(view));
    view.sums_unit = unit.value();
    view.sums.assign(view.values().size() + rows, 0);
    for (std::size_t j = 0; j < view.values().size(); ++j)
      view.sums[j + rows] = add_units(view.sums[j], unit.count(view.values()[j]));
  }

  void adjoint_slice(const DdView3d& view, int k, VoxelLines& volume,
                     Scratch& scratch) const override {
    const PrefixKernels& kernels = prefix_kernels();
    const Span rows = seen_rows(view, k, grid().nz);
    if (rows.count == 0) return;
    const int first = scratch.edges.first_pixel(), last = scratch.edges.last_pixel();
    const auto count = static_cast<std::size_t>(rows.count);
    scratch.at_side.resize(count);
    scratch.sums.resize(count + prefix_padding);
    scratch.at_voxels.resize(static_cast<std::size_t>(grid().nz) + 1);
    const auto cell_under = [&](int i) {
      const int c = scratch.edges.cell_at(i);
      return std::pair{view.sums.data() + view.offset(c) + rows.first,
                       scratch.edges.fraction_of_cell(c, i)};
    };
    if (const auto [low, fraction] = cell_under(first); first < last)
      kernels.interpolate(low, low + view.rows(), fraction, rows.count, scratch.at_side.data());
    for (int i = first; i < last; ++i) {
      const auto [low, fraction] = cell_under(i + 1);
      kernels.sum_up_to(low, low + view.rows(), fraction, rows.count, scratch.at_side.data(),
                        scratch.sums.data());
      const RowEdges axial = view.axial().at(i, k);
      const Span voxels = seen_voxels(view, axial);
      if (voxels.count == 0) continue;
      // A voxel spans 1 / pitch rows, and an overlap in voxels over pitch is the overlap in rows.
      const double per_voxel = 1 / axial.pitch;
      kernels.resample(scratch.sums.data(), rows.count,
                       (voxels.first - axial.origin) * per_voxel - rows.first, per_voxel,
                       static_cast<float>(view.sums_unit), voxels.count, scratch.at_voxels.data(),
                       1 + line_of(volume, view, i, k) + voxels.first);
    }
  }
};

}  // namespace

std::unique_ptr<Projector> make_dd_branchless_3d(Backend& backend,
                                                 std::shared_ptr<const ScanGeometry> geometry,
                                                 const VolumeGrid& grid) {
  return std::make_unique<Branchless3d>(backend, std::move(geometry), grid);
}

}  // namespace gantry
