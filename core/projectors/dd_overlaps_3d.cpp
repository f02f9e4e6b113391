// Lines along z are sums of overlaps times voxel columns; rows and voxels of a line meet overlap by
// overlap.
#include "core/projectors/dd_overlaps_3d.hpp"

#include "core/projectors/dd_kernels.hpp"
#include "core/projectors/distance_driven_3d.hpp"

#include <algorithm>

namespace gantry {

namespace {

class DdOverlaps3d final : public DistanceDriven3d {
 public:
  DdOverlaps3d(Backend& backend, std::shared_ptr<const ScanGeometry> geometry,
               const VolumeGrid& grid)
      : DistanceDriven3d(backend, std::move(geometry), grid) {}

 private:
  class Lines final : public ForwardSlices {
   public:
    Lines(Backend& backend, const VolumeGrid& grid, const float* volume, bool along_y)
        : columns_(backend, grid), voxels_(grid.nz), along_y_(along_y) {
      columns_.load(volume);
    }
    void add(int first, int last, DdView3d& view) const override {
      std::vector<float> line(static_cast<std::size_t>(voxels_));
      for (int k = first; k < last; ++k) add_slice(k, view, line);
    }

   private:
    void add_slice(int k, DdView3d& view, std::vector<float>& line) const {
      const float inverse_scale = view.inverse_scale(k);
      for (int c = 0; c < view.table().cells(); ++c) {
        if (!view.hits(c, k)) continue;
        std::ranges::fill(line, 0.0F);
        view.for_pixels(c, k, [&](int i, float overlap) {
          const float* voxels = 1 + (along_y_ ? columns_.line(i, k) : columns_.line(k, i));
          dd_kernels().add_scaled(overlap, voxels, voxels_, line.data());
        });
        const AxialMap axial = view.axial_map(c, k);
        dd_kernels().resample(line.data(), voxels_, axial.origin, axial.pitch,
                              inverse_scale / axial.pitch, view.rows(), view.column(c));
      }
    }

    ZColumns columns_;
    int voxels_;
    bool along_y_;
  };

  std::unique_ptr<ForwardSlices> forward_slices(const float* volume, bool along_y) const override {
    return std::make_unique<Lines>(backend(), grid(), volume, along_y);
  }

  void spread_rows(const DdView3d& view, int cell, int slice, float* line,
                   std::vector<std::int32_t>& /*scratch*/) const override {
    // A voxel spans 1/pitch rows; overlap in voxels / pitch is overlap in rows.
    const AxialMap axial = view.axial_map(cell, slice);
    dd_kernels().resample(view.column(cell), view.rows(), -axial.origin / axial.pitch,
                          1 / axial.pitch, view.inverse_scale(slice), grid().nz, line);
  }
};

}  // namespace

std::unique_ptr<Projector> make_dd_overlaps_3d(Backend& backend,
                                               std::shared_ptr<const ScanGeometry> geometry,
                                               const VolumeGrid& grid) {
  return std::make_unique<DdOverlaps3d>(backend, std::move(geometry), grid);
}

}  // namespace gantry
