// Forward: y_i = sum_j l_ij x_j with Siddon's lengths l_ij. Backward, in place of the transpose:
//   x_j = sum_v (V / S_vj) y_v(c_vj, q_vj),
// where y_v is interpolated at the projection (c, q) of the centre of voxel j, V is the volume of
// the voxel and S_vj the cross section at voxel j of the beam onto a cell: for dense rays, the sum
// of l_ij over the rays of a view tends to V / S. In the plane
//   parallel  S = pitch
//   flat      S = pitch d / SDD cos g     g: angle of the ray to the detector's normal
//   arc       S = pitch rho / SDD
// and in a cone beam S has such a factor for columns and one for rows, with a single cos g. The
// factor 1 / cos g belongs to the ray, not to the voxel: it is applied to the data before these are
// spread.
#include "core/projectors/voxel/voxel_driven.hpp"

#include "core/projectors/siddon_joseph/siddon.hpp"
#include "core/projectors/voxel/voxel_backprojection.hpp"

#include <cmath>

namespace gantry {

namespace {

class VoxelDriven final : public Projector {
 public:
  VoxelDriven(Backend& backend, std::shared_ptr<const ScanGeometry> geometry,
              const VolumeGrid& grid)
      : Projector(backend, geometry, grid),
        rays_(make_siddon(backend, std::move(geometry), grid, {})),
        spread_(*this, this->geometry(), this->geometry().beam() == Beam::cone ? 2 : 1) {}

  bool matched() const override { return false; }
  const RowSource* row_source() const override { return rays_->row_source(); }
  std::size_t workspace_bytes() const override { return spread_.workspace_bytes(); }

 private:
  void do_forward(const Array& x, Array& y, ViewSubset subset) const override {
    rays_->set_interrupt(interrupt());
    rays_->forward(x, y, subset);
  }

  void do_adjoint(const Array& y, Array& x, ViewSubset subset) const override {
    backend().fill(x, 0.0F);
    const std::vector<float> density = ray_density(geometry(), grid());
    spread_.add(
        subset,
        [&](std::span<const int> views, float* rows) {
#pragma omp parallel for schedule(static)
          for (std::size_t i = 0; i < views.size(); ++i) {
            const float* in = y.data() + static_cast<std::size_t>(views[i]) * cells_per_view();
            float* out = rows + i * cells_per_view();
            for (std::size_t cell = 0; cell < cells_per_view(); ++cell)
              out[cell] = in[cell] * density[cell];
          }
        },
        x.data());
  }

  std::unique_ptr<Projector> rays_;
  VoxelBackprojection spread_;
};

}  // namespace

std::vector<float> ray_density(const ScanGeometry& geometry, const VolumeGrid& grid) {
  const ScanSpec& spec = geometry.spec();
  const Vec3 size = grid.spacing_mm;
  const bool flat = spec.detector == DetectorShape::flat, parallel = spec.beam == Beam::parallel,
             cone = spec.beam == Beam::cone;
  const double magnified = parallel ? 1 : spec.source_to_detector_mm;
  double scale = size.x * size.y * magnified / spec.column_pitch_mm;
  if (cone)
    scale *= size.z * magnified / spec.row_pitch_mm;
  else if (grid.nz > 1 || geometry.rows() > 1)
    scale *= size.z / spec.row_pitch_mm;
  std::vector<float> density(geometry.cells(), static_cast<float>(scale));
  if (parallel) return density;
  const auto columns = static_cast<std::size_t>(geometry.columns());
  for (std::size_t cell = 0; cell < density.size(); ++cell) {
    const double u = flat ? (static_cast<double>(cell % columns) - spec.central_column) *
                                spec.column_pitch_mm / magnified
                          : 0;
    const double v = cone ? (static_cast<double>(cell / columns) - spec.central_row) *
                                spec.row_pitch_mm / magnified
                          : 0;
    density[cell] *= static_cast<float>(std::sqrt(1 + u * u + v * v));
  }
  return density;
}

std::unique_ptr<Projector> make_voxel_driven(Backend& backend,
                                             std::shared_ptr<const ScanGeometry> geometry,
                                             const VolumeGrid& grid, const Params&) {
  require_turning(*geometry, "the voxel-driven projector");
  return std::make_unique<VoxelDriven>(backend, std::move(geometry), grid);
}

ProductMemory voxel_driven_memory(const ScanGeometry& geometry, const VolumeGrid& grid, int) {
  return {VoxelBackprojection::bytes(geometry, grid)};
}

}  // namespace gantry
