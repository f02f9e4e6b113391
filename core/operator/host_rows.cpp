#include "core/operator/host_rows.hpp"

#include "core/base/error.hpp"
#include "core/base/parallel_errors.hpp"
#include "core/geometry/cell_shadow.hpp"
#include "core/operator/row_norms.hpp"

#include <algorithm>
#include <bit>
#include <vector>

namespace gantry {

namespace {

constexpr std::size_t rays_ahead = 128;  // rays whose weights are computed at a time
constexpr int sampled_views = 16;        // views that the mean norm of a row is computed from

class HostRayList final : public RayList {
 public:
  explicit HostRayList(std::span<const std::uint32_t> rays) : rays_(rays.begin(), rays.end()) {}
  std::size_t size() const override { return rays_.size(); }
  const std::vector<std::uint32_t>& rays() const { return rays_; }

 private:
  std::vector<std::uint32_t> rays_;
};

class HostRows final : public RowAccess {
 public:
  explicit HostRows(const Projector& projector)
      : projector_(projector),
        views_(static_cast<std::size_t>(projector.views())),
        ahead_(rays_ahead) {}

  std::unique_ptr<RayList> list(std::span<const std::uint32_t> rays) const override {
    return std::make_unique<HostRayList>(rays);
  }

  double correct(const RowStep& step, const RayList& list, std::size_t first, std::size_t count,
                 Array& x) const override {
    const auto& rays = dynamic_cast<const HostRayList&>(list).rays();
    double residual_square = 0;
    for (std::size_t from = first; from < first + count; from += rays_ahead) {
      const std::size_t to = std::min(first + count, from + rays_ahead);
      weigh(rays, from, to);
      for (std::size_t k = from; k < to; ++k) {
        if (rays[k] == no_ray) continue;
        const double deviation = correct_by(step, rays[k], ahead_[k - from], x.host());
        residual_square += deviation * deviation;
      }
    }
    return residual_square;
  }

  void count_rays(Array& n) const override {
    const std::vector<std::uint32_t> counts = column_counts(projector_);
    std::ranges::transform(counts, n.host().begin(),
                           [](std::uint32_t count) { return static_cast<float>(count); });
  }

  double mean_squared_norm() const override {
    const int views = projector_.views(), stride = std::max(1, views / sampled_views);
    return mean_squared_row_norm(projector_, {0, stride, (views - 1) / stride + 1});
  }

  Reach reach() const override { return ray_reach(projector_); }

 private:
  /// Computes the weights of the rays from .. to - 1 of a list.
  void weigh(const std::vector<std::uint32_t>& rays, std::size_t from, std::size_t to) const {
    const auto cells = static_cast<std::uint32_t>(projector_.cells_per_view()),
               columns = static_cast<std::uint32_t>(projector_.geometry().columns());
    prepare_views({rays.data() + from, to - from}, cells);
    ParallelErrors errors;
#pragma omp parallel for schedule(dynamic, 8)
    for (std::size_t k = from; k < to; ++k)
      errors.run([&] {
        if (rays[k] == no_ray) return;
        const std::uint32_t cell = rays[k] % cells;
        views_[rays[k] / cells]->weights(static_cast<int>(cell % columns),
                                         static_cast<int>(cell / columns), ahead_[k - from]);
      });
    errors.rethrow();
  }

  /// Prepares the views that these rays need. Rays of a single view are the custom of methods that
  /// go from view to view, which need what was prepared for other views only an iteration later.
  void prepare_views(std::span<const std::uint32_t> rays, std::uint32_t cells) const {
    const auto is_ray = [](std::uint32_t ray) { return ray != no_ray; };
    const auto first = std::ranges::find_if(rays, is_ray);
    if (first == rays.end()) return;
    const std::uint32_t view_of_first = *first / cells;
    const bool is_single = std::all_of(first, rays.end(), [&](std::uint32_t ray) {
      return !is_ray(ray) || ray / cells == view_of_first;
    });
    if (is_single && views_[view_of_first] == nullptr)
      for (auto& view : views_) view.reset();
    for (const std::uint32_t ray : rays) {
      if (!is_ray(ray)) continue;
      if (auto& view = views_[ray / cells]; view == nullptr)
        view = projector_.row_source()->view_rows(static_cast<int>(ray / cells));
    }
  }

  /// Corrects x by one ray. Returns b - <a, x> before.
  static double correct_by(const RowStep& step, std::size_t ray, const RowWeights& a,
                           std::span<float> x) {
    double product = 0, norm_square = 0;
    for (std::size_t k = 0; k < a.size(); ++k) {
      product += a.weight[k] * x[a.voxel[k]];
      norm_square += a.weight[k] * a.weight[k];
    }
    const double deviation = step.b.data()[ray] - product;
    if (!(norm_square > step.smallest)) return deviation;
    const double gamma = step.normalised ? step.step / norm_square : step.step;
    const double weight = step.weights != nullptr ? step.weights->data()[ray] : 1.0F;
    const double factor = gamma * weight * deviation;
    const float* pull = step.pull != nullptr ? step.pull->data() : nullptr;
    for (std::size_t k = 0; k < a.size(); ++k) {
      const std::size_t j = a.voxel[k];
      double change = factor * a.weight[k];
      if (pull != nullptr) change -= static_cast<double>(pull[j]);
      x[j] = std::max(static_cast<float>(x[j] + change), step.low);
    }
    return deviation;
  }

  const Projector& projector_;
  mutable std::vector<std::unique_ptr<ViewRows>> views_;  // made when first needed
  mutable std::vector<RowWeights> ahead_;                 // scratch of correct()
};

bool has_host_rows(const LinearOperator& A) {
  return A.has_single_weights() && dynamic_cast<const Projector*>(&A) != nullptr;
}

}  // namespace

std::size_t host_rows_bytes(const VolumeGrid& grid) {
  const auto layers = static_cast<std::size_t>(std::max({grid.nx, grid.ny, grid.nz}));
  return rays_ahead * std::bit_ceil(2 * layers) * (sizeof(std::size_t) + sizeof(double));
}

RowAccess::Reach ray_reach(const Projector& projector) {
  const VolumeGrid& grid = projector.grid();
  const ScanGeometry& geometry = projector.geometry();
  RowAccess::Reach reach{1, 1};
  // Rays weigh the voxels that they cross or, interpolated, also those within a voxel of them. The
  // shadows of such boxes at the edges of the volume bound those inside. All slices are looked at,
  // since in a stack it depends on the slice alone, how its borders lie between the rows.
  const bool ends_at_voxel = definition_of(*projector.row_source()) != RowDefinition::other;
  const Vec3 box = (ends_at_voxel ? 0.5 : 1.0) * grid.spacing_mm;
  for (int v = 0; v < geometry.views(); v += std::max(1, geometry.views() / 64)) {
    const CellShadow shadow(geometry, v, is_planar(geometry, grid));
    for (int iz = 0; iz < grid.nz; ++iz)
      for (int corner = 0; corner < 4; ++corner) {
        const Vec3 center =
            grid.voxel_center_mm(corner & 1 ? grid.nx - 1 : 0, corner & 2 ? grid.ny - 1 : 0, iz);
        const CellRange cells = shadow.of(center, box);
        reach.columns = std::max(reach.columns, cells.last_column - cells.first_column + 1);
        reach.rows = std::max(reach.rows, cells.last_row - cells.first_row + 1);
      }
  }
  return reach;
}

std::unique_ptr<RowAccess> host_rows(const Projector& projector) {
  return std::make_unique<HostRows>(projector);
}

std::unique_ptr<RowAccess> make_rows(const LinearOperator& A, const RowWorkers& workers) {
  require_rows(A);
  if (const auto* gives = dynamic_cast<const GivesRows*>(&A)) return gives->make_rows(workers);
  return host_rows(dynamic_cast<const Projector&>(A));
}

bool gives_rows(const LinearOperator& A) {
  return dynamic_cast<const GivesRows*>(&A) != nullptr || has_host_rows(A);
}

void require_rows(const LinearOperator& A) {
  if (gives_rows(A)) return;
  throw UsageError(
      "this solver needs the single rows of the matrix, which this projector does not "
      "give on this device",
      "projector", "use a projector that gives them, or backend cpu");
}

}  // namespace gantry
