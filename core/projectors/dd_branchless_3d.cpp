// Prefix sums in both directions. Forward: sums across the pixels of a slice, evaluated once at
// each column edge, give a line along z; the difference of two such lines belongs to a detector
// column; its prefix sums along z are evaluated once at each row edge. Transpose: prefix sums along
// the rows of each detector column, evaluated once at each voxel edge along z. The magnification
// along z depends on the column, so no rectangle in a table of sums over both directions would be
// exact (Liu et al. 2017 have one, and no exact pair); sums over one direction at a time are.
#include "core/projectors/dd_branchless_3d.hpp"

#include "core/projectors/distance_driven_3d.hpp"
#include "core/projectors/prefix_kernels.hpp"
#include "core/projectors/z_sums.hpp"

#include <algorithm>

namespace gantry {

namespace {

class Branchless3d final : public DistanceDriven3d {
 public:
  Branchless3d(Backend& backend, std::shared_ptr<const ScanGeometry> geometry,
               const VolumeGrid& grid)
      : DistanceDriven3d(backend, std::move(geometry), grid) {}

  std::size_t workspace_bytes() const override {
    const std::size_t columns = ZColumns::bytes(grid());
    return DistanceDriven3d::workspace_bytes() - columns +
           std::max({columns, ZSums::bytes(grid(), true), ZSums::bytes(grid(), false)});
  }

 private:
  class Sums final : public ForwardSlices {
   public:
    Sums(Backend& backend, const VolumeGrid& grid, const float* volume, bool along_y,
         const PrefixUnit& unit)
        : sums_(backend, grid, along_y, volume, unit), unit_(unit.value()) {}
    double unit() const override { return unit_; }

    void add(int first, int last, DdView3d& view) const override {
      Scratch scratch(static_cast<std::size_t>(sums_.voxels()),
                      static_cast<std::size_t>(view.rows()));
      for (int k = first; k < last; ++k) add_slice(k, view, scratch);
    }

   private:
    struct Scratch {
      std::vector<std::int32_t> low, high, sums, edges;
      Scratch(std::size_t voxels, std::size_t rows)
          : low(voxels), high(voxels), sums(voxels + prefix_padding), edges(rows + 1) {}
    };

    void add_slice(int k, DdView3d& view, Scratch& scratch) const {
      const PrefixKernels& kernels = prefix_kernels();
      const int nz = sums_.voxels();
      const float inverse_scale = view.inverse_scale(k);
      bool low_is_ready = false;  // cells that hit a slice follow each other
      for (int c = 0; c < view.table().cells(); ++c) {
        if (!view.hits(c, k)) continue;
        if (!low_is_ready) edge_line(k, view.place(c, k), scratch.low);
        edge_line(k, view.place(c + 1, k), scratch.high);
        kernels.sum_differences(scratch.low.data(), scratch.high.data(), nz, scratch.sums.data());
        const AxialMap axial = view.axial_map(c, k);
        kernels.resample(scratch.sums.data(), nz, axial.origin, axial.pitch,
                         inverse_scale / axial.pitch, view.rows(), scratch.edges.data(),
                         view.column(c));
        scratch.low.swap(scratch.high);
        low_is_ready = true;
      }
    }

    void edge_line(int k, double place, std::vector<std::int32_t>& out) const {
      const int i = std::min(static_cast<int>(place), sums_.slices().width - 1);
      prefix_kernels().interpolate(sums_.line(k, i), sums_.line(k, i + 1),
                                   static_cast<float>(place - i), sums_.voxels(), out.data());
    }

    ZSums sums_;
    double unit_;
  };

  std::unique_ptr<ForwardSlices> forward_slices(const float* volume, bool along_y) const override {
    const PrefixUnit unit(volume, grid().voxels(), largest_footprint());
    return std::make_unique<Sums>(backend(), grid(), volume, along_y, unit);
  }

  void prepare(DdView3d& view) const override {
    const double rows_per_voxel = std::min<double>(view.rows(), 1 / view.lowest_row() + 2);
    const PrefixUnit unit(view.values().data(), view.values().size(), rows_per_voxel);
    const int rows = view.rows();
    view.sums_unit = unit.value();
    view.sums.assign(static_cast<std::size_t>(view.table().cells()) * stride(view), 0);
    for (int c = 0; c < view.table().cells(); ++c) {
      std::int32_t* sums = view.sums.data() + static_cast<std::size_t>(c) * stride(view);
      for (int q = 0; q < rows; ++q)
        sums[q + 1] = add_units(sums[q], unit.count(view.column(c)[q]));
      sums[rows + 1] = sums[rows];
    }
  }
  static std::size_t stride(const DdView3d& view) {
    return static_cast<std::size_t>(view.rows()) + prefix_padding;
  }

  void spread_rows(const DdView3d& view, int cell, int slice, float* line,
                   std::vector<std::int32_t>& scratch) const override {
    scratch.resize(static_cast<std::size_t>(grid().nz) + 1);
    // A voxel spans 1/pitch rows; overlap in voxels / pitch is overlap in rows.
    const AxialMap axial = view.axial_map(cell, slice);
    prefix_kernels().resample(view.sums.data() + static_cast<std::size_t>(cell) * stride(view),
                              view.rows(), -axial.origin / axial.pitch, 1 / axial.pitch,
                              static_cast<float>(view.inverse_scale(slice) * view.sums_unit),
                              grid().nz, scratch.data(), line);
  }
};

}  // namespace

std::unique_ptr<Projector> make_dd_branchless_3d(Backend& backend,
                                                 std::shared_ptr<const ScanGeometry> geometry,
                                                 const VolumeGrid& grid) {
  return std::make_unique<Branchless3d>(backend, std::move(geometry), grid);
}

}  // namespace gantry
