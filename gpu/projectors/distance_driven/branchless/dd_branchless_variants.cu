#include "core/base/error.hpp"
#include "core/projectors/distance_driven/dd_view.hpp"
#include "gpu/projectors/distance_driven/branchless/dd_branchless_tables.cuh"
#include "gpu/projectors/distance_driven/branchless/dd_branchless_variants.hpp"
#include "gpu/projectors/distance_driven/branchless/tuning.hpp"

#include <algorithm>
#include <utility>

namespace gantry {

namespace {

using device::DdConeScan;

using dd_branchless::group_voxels, dd_branchless::line_voxels;

/// The scan from which the tables are made. In a planar problem heights do not matter: the detector
/// row gets the height and the position of the slice.
struct PlanarAtZero {
  ScanGeometry geometry;
  VolumeGrid grid;

  static PlanarAtZero of(const ScanGeometry& geometry, const VolumeGrid& grid) {
    if (!is_planar(geometry, grid)) return {geometry, grid};
    ScanSpec spec = geometry.spec();
    spec.row_pitch_mm = grid.spacing_mm.z;
    spec.central_row = 0;
    VolumeGrid level = grid;
    level.origin_mm.z = 0;
    return {ScanGeometry(std::move(spec)), level};
  }
};

/// Heights of rows at the central ray of each cell.
class RowHeights {
 public:
  RowHeights(const CudaBackend& cuda, const ScanGeometry& geometry, const VolumeGrid& grid) {
    const double row = geometry.spec().row_pitch_mm / grid.spacing_mm.z;
    const bool cone = geometry.beam() == Beam::cone;
    std::vector<float> constant, growing;
    for (int v = 0; v < geometry.views(); ++v) {
      const DdView table(geometry, grid, v);
      for (const float inverse_depth : table.inverse_depth) {
        constant.push_back(cone ? 0.0F : static_cast<float>(row));
        growing.push_back(static_cast<float>(row * table.slices.u_spacing_mm * inverse_depth));
      }
    }
    constant_ = DeviceBuffer<float>(cuda, constant);
    growing_ = DeviceBuffer<float>(cuda, growing);
  }
  device::RowHeight view() const { return {constant_.data(), growing_.data()}; }
  static std::size_t bytes(const ScanGeometry& geometry) {
    return 2 * static_cast<std::size_t>(geometry.views()) *
           static_cast<std::size_t>(geometry.columns()) * sizeof(float);
  }

 private:
  DeviceBuffer<float> constant_, growing_;
};

ImageStack layers_along(const VolumeGrid& grid, bool y) {
  return y ? ImageStack{grid.nx, grid.nz, grid.ny} : ImageStack{grid.ny, grid.nz, grid.nx};
}

/// Returns how many views the transpose adds at a time.
template <class Tables>
int views_of_part(const ScanGeometry& geometry) {
  return views_at_once(geometry.views(), Tables::bytes({geometry.columns(), geometry.rows(), 1}),
                       Tables::most_images);
}

template <class Tables>
ProductMemory branchless_memory(const ScanGeometry& geometry, const VolumeGrid& grid) {
  const std::size_t layers =
      Tables::bytes(layers_along(grid, true)) + Tables::bytes(layers_along(grid, false));
  const std::size_t views =
      Tables::bytes({geometry.columns(), geometry.rows(), views_of_part<Tables>(geometry)});
  return {DdTables::bytes(geometry) + RowHeights::bytes(geometry) + std::max(layers, views)};
}

template <class Tables, bool Lines>
class BranchlessProjector final : public Projector {
 public:
  BranchlessProjector(Backend& backend, std::shared_ptr<const ScanGeometry> geometry,
                      const VolumeGrid& grid, bool subtract_mean)
      : BranchlessProjector(backend, geometry, grid, PlanarAtZero::of(*geometry, grid),
                            subtract_mean) {
    if (std::max(grid.nx, grid.ny) > Tables::most_images)
      throw UsageError(
          "the volume has more than " + std::to_string(Tables::most_images) +
              " layers along x or y, which do not fit into this projector's tables on a GPU",
          "projector", "use distance_driven");
  }

  bool matched() const override { return false; }
  double rounding() const override { return Tables::rounding; }
  std::size_t workspace_bytes() const override {
    return branchless_memory<Tables>(geometry(), grid()).bytes;
  }

 private:
  BranchlessProjector(Backend& backend, std::shared_ptr<const ScanGeometry> geometry,
                      const VolumeGrid& grid, const PlanarAtZero& seen, bool subtract_mean)
      : Projector(backend, std::move(geometry), grid),
        cuda_(cuda_backend(backend)),
        tables_(cuda_, seen.geometry, seen.grid),
        heights_(cuda_, seen.geometry, seen.grid),
        subtract_mean_(subtract_mean) {}

  device::VolumeLayers slices_of(const Array& x, bool y, float mean) const {
    const auto nx = static_cast<std::size_t>(grid().nx), ny = static_cast<std::size_t>(grid().ny);
    return y ? device::VolumeLayers{x.data(), 1, nx * ny, nx, mean}
             : device::VolumeLayers{x.data(), nx, nx * ny, 1, mean};
  }
  int at_once() const { return views_of_part<Tables>(geometry()); }

  float mean_of(const Array& x) const {
    if (!subtract_mean_) return 0;
    const Array ones = Array::filled(backend(), x.size(), 1.0F);
    return static_cast<float>(backend().dot(x, ones) / static_cast<double>(x.size()));
  }

  void do_forward(const Array& x, Array& y, ViewSubset subset) const override {
    const DeviceScope scope(cuda_.device());
    const float mean = mean_of(x);
    Tables sums;
    for (const bool along_y : {true, false})
      sums.set(cuda_, along_y, slices_of(x, along_y, mean), layers_along(grid(), along_y));
    for_parts(subset, most_views_of_launch, [&](ViewSubset views) {
      const DdConeScan scan = tables_.scan(views);
      const dim3 block(dd_branchless::ray_columns, dd_branchless::ray_rows),
          grid(blocks(scan.columns, block.x), blocks(scan.rows, block.y),
               static_cast<unsigned>(scan.views));
      device::dd_branchless_forward<<<grid, block, 0, cuda_.stream()>>>(
          scan, heights_.view(), sums.sums(), mean, y.data());
      check_launch("dd_branchless_forward");
    });
  }

  void do_adjoint(const Array& y, Array& x, ViewSubset subset) const override {
    const DeviceScope scope(cuda_.device());
    if (subset.count == 0) backend().fill(x, 0);
    bool add = false;
    for_parts(subset, at_once(), [&](ViewSubset views) {
      const DdConeScan part = tables_.scan(views);
      Tables sums;
      sums.set(cuda_, true, device::WeightedViews{part, y.data()},
               {part.columns, part.rows, part.views});
      add_views(part, sums.sums(), x.data(), add);
      add = true;
    });
  }

  void add_views(const DdConeScan& scan, const typename Tables::Sums& sums, float* volume,
                 bool add) const {
    const dim3 block(shapes::pixel_columns, shapes::pixel_lines);
    const dim3 grid(blocks(scan.nx, block.x), blocks(scan.ny, block.y),
                    blocks(scan.nz, Lines ? line_voxels : group_voxels));
    if constexpr (Lines)
      device::dd_z_line_adjoint<line_voxels>
          <<<grid, block, 0, cuda_.stream()>>>(scan, sums, volume, add);
    else
      device::dd_branchless_adjoint<group_voxels>
          <<<grid, block, 0, cuda_.stream()>>>(scan, sums, volume, add);
    check_launch("dd_branchless_adjoint");
  }

  const CudaBackend& cuda_;
  DdTables tables_;
  RowHeights heights_;
  bool subtract_mean_;
};

template <class Tables, bool Lines>
std::unique_ptr<Projector> make(Backend& backend, std::shared_ptr<const ScanGeometry> geometry,
                                const VolumeGrid& grid, bool subtract_mean) {
  require_turning(*geometry, "the distance-driven projector");
  return std::make_unique<BranchlessProjector<Tables, Lines>>(backend, std::move(geometry), grid,
                                                              subtract_mean);
}

}  // namespace

std::vector<ParamSpec> dd_branchless_params() {
  return {{.key = "subtract_mean",
           .label = "Subtract the mean",
           .unit = {},
           .fallback = false,
           .help = "Subtract the mean of the image before sums are made, and add it back "
                   "afterwards: smaller sums have smaller rounding errors."}};
}

std::unique_ptr<Projector> make_dd_gpu_bl(Backend& backend,
                                          std::shared_ptr<const ScanGeometry> geometry,
                                          const VolumeGrid& grid, const Params& params) {
  return make<TextureTables, false>(backend, std::move(geometry), grid,
                                    params.flag("subtract_mean"));
}

std::unique_ptr<Projector> make_dd_gpu_bz(Backend& backend,
                                          std::shared_ptr<const ScanGeometry> geometry,
                                          const VolumeGrid& grid, const Params& params) {
  return make<TextureTables, true>(backend, std::move(geometry), grid,
                                   params.flag("subtract_mean"));
}

std::unique_ptr<Projector> make_dd_gpu_db(Backend& backend,
                                          std::shared_ptr<const ScanGeometry> geometry,
                                          const VolumeGrid& grid, const Params&) {
  return make<DoubleTables, false>(backend, std::move(geometry), grid, false);
}

std::unique_ptr<Projector> make_dd_gpu_bs(Backend& backend,
                                          std::shared_ptr<const ScanGeometry> geometry,
                                          const VolumeGrid& grid, const Params&) {
  return make<DirectTables, false>(backend, std::move(geometry), grid, false);
}

ProductMemory dd_gpu_bl_memory(const ScanGeometry& geometry, const VolumeGrid& grid, int) {
  return branchless_memory<TextureTables>(geometry, grid);
}

ProductMemory dd_gpu_bz_memory(const ScanGeometry& geometry, const VolumeGrid& grid, int) {
  return branchless_memory<TextureTables>(geometry, grid);
}

ProductMemory dd_gpu_db_memory(const ScanGeometry& geometry, const VolumeGrid& grid, int) {
  return branchless_memory<DoubleTables>(geometry, grid);
}

ProductMemory dd_gpu_bs_memory(const ScanGeometry& geometry, const VolumeGrid& grid, int) {
  return branchless_memory<DirectTables>(geometry, grid);
}

}  // namespace gantry
