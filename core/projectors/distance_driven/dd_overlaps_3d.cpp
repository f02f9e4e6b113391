// The 3D distance-driven projector that computes every overlap: a voxel line is resampled onto the
// detector rows by its overlaps with the rows, and added to the detector columns that see the line
// by the pixel's overlaps with their cells.
#include "core/projectors/distance_driven/dd_overlaps_3d.hpp"

#include "core/projectors/distance_driven/dd_kernels.hpp"
#include "core/projectors/distance_driven/distance_driven_3d.hpp"

#include <algorithm>

namespace gantry {

namespace {

class DdOverlaps3d final : public DistanceDriven3d {
 public:
  DdOverlaps3d(Backend& backend, std::shared_ptr<const ScanGeometry> geometry,
               const VolumeGrid& grid)
      : DistanceDriven3d(backend, std::move(geometry), grid) {}

 private:
  class Columns final : public ForwardVolume {
   public:
    Columns(Backend& backend, const VolumeGrid& grid, const float* volume)
        : columns_(backend, grid), voxels_(grid.nz) {
      columns_.load(volume);
    }
    void add(int first, int last, DdView3d& view) const override {
      LayerEdges edges;
      std::vector<float> line(static_cast<std::size_t>(view.rows()));
      for (int k = first; k < last; ++k) {
        const Span rows = seen_rows(view, k, voxels_);
        if (rows.count == 0) continue;
        edges.set(view.table(), k);
        for (int i = edges.first_pixel(); i < edges.last_pixel(); ++i)
          add_line(i, k, rows, edges, line, view);
      }
    }

   private:
    void add_line(int i, int k, const Span& rows, LayerEdges& edges, std::vector<float>& line,
                  DdView3d& view) const {
      const RowEdges axial = view.axial().at(i, k);
      std::fill_n(line.begin(), rows.count, 0.0F);
      dd_kernels().resample(1 + line_of(columns_, view, i, k), voxels_,
                            static_cast<float>(axial.origin + rows.first * axial.pitch),
                            static_cast<float>(axial.pitch),
                            static_cast<float>(edges.inverse_scale() / axial.pitch), rows.count,
                            line.data());
      edges.for_cells(i, [&](int c, float overlap) {
        dd_kernels().add_scaled(overlap, line.data(), rows.count, view.column(c) + rows.first);
      });
    }

    VoxelLines columns_;
    int voxels_;
  };

  std::unique_ptr<ForwardVolume> forward_volume(const float* volume) const override {
    return std::make_unique<Columns>(backend(), grid(), volume);
  }

  void adjoint_slice(const DdView3d& view, int k, VoxelLines& volume,
                     Scratch& scratch) const override {
    const Span rows = seen_rows(view, k, grid().nz);
    std::vector<float>& line = scratch.line;
    line.resize(static_cast<std::size_t>(rows.count));
    for (int i = scratch.edges.first_pixel(); i < scratch.edges.last_pixel(); ++i) {
      std::ranges::fill(line, 0.0F);
      scratch.edges.for_cells(i, [&](int c, float overlap) {
        dd_kernels().add_scaled(overlap, view.column(c) + rows.first, rows.count, line.data());
      });
      // A voxel spans 1 / pitch rows, and an overlap in voxels over pitch is the overlap in rows.
      const RowEdges axial = view.axial().at(i, k);
      const Span voxels = seen_voxels(view, axial);
      if (rows.count > 0 && voxels.count > 0)
        dd_kernels().resample(
            line.data(), rows.count,
            static_cast<float>((voxels.first - axial.origin) / axial.pitch - rows.first),
            static_cast<float>(1 / axial.pitch), scratch.edges.inverse_scale(), voxels.count,
            1 + line_of(volume, view, i, k) + voxels.first);
    }
  }
};

}  // namespace

std::unique_ptr<Projector> make_dd_overlaps_3d(Backend& backend,
                                               std::shared_ptr<const ScanGeometry> geometry,
                                               const VolumeGrid& grid) {
  return std::make_unique<DdOverlaps3d>(backend, std::move(geometry), grid);
}

}  // namespace gantry
