// The 2D distance-driven pair: its products (dd_fan_forward, dd_fan_transpose), and steps of
// solvers in which the transpose makes the residual as it reads it and updates the image as it adds
// up. A step of all views projects straight to where the transpose sums up lines of views, a group
// of slices at a time, and needs no room for residuals.
#include "core/projectors/distance_driven/dd_rows.hpp"
#include "gpu/base/launch.hpp"
#include "gpu/base/pinned_buffer.hpp"
#include "gpu/base/recorded_calls.hpp"
#include "gpu/device/elementwise.cuh"
#include "gpu/projectors/distance_driven/fan/dd_fan_forward.hpp"
#include "gpu/projectors/distance_driven/fan/dd_fan_transpose.cuh"
#include "gpu/projectors/distance_driven/fan/distance_driven_2d.hpp"

#include <algorithm>
#include <cmath>
#include <span>

namespace gantry {

namespace {

constexpr int longest_line = 1 << 20;  // pixels or cells whose place a float tells well
constexpr double swept_voxels = 1e9;   // times views, of a sweep: some hundredths of a second

class CudaDistanceDriven2d final : public Projector {
 public:
  CudaDistanceDriven2d(Backend& backend, std::shared_ptr<const ScanGeometry> geometry,
                       const VolumeGrid& grid)
      : Projector(backend, geometry, grid),
        cuda_(cuda_backend(backend)),
        rows_(make_dd_rows(geometry, grid)),
        passes_(cuda_, std::move(geometry), grid) {}

  const RowSource* row_source() const override { return rows_.get(); }
  /// Of differences of prefix sums, where a cell is narrower than a pixel most.
  double rounding() const override { return 1e-5; }
  std::size_t workspace_bytes() const override {
    return passes_.bytes() + (residual_room() + update_room()) * sizeof(double);
  }
  /// Slices of a stack share their weights: those of one slice's rays serve all.
  GradientRoom gradient_room() const override {
    return {.rays = false,
            .image = false,
            .workspace_bytes = workspace_bytes(),
            .row_weight_size = slices() == 1 ? 0 : rays_of_slice()};
  }

 private:
  void do_forward(const Array& x, Array& y, ViewSubset subset) const override {
    const DeviceScope scope(cuda_.device());
    dd_fan_forward(passes_, x.data(), y.data(), subset);
  }

  Array do_inverse_row_sums(const Array& ones, float threshold) const override {
    if (slices() == 1) return LinearOperator::do_inverse_row_sums(ones, threshold);
    const DeviceScope scope(cuda_.device());
    Array sums(backend(), rays_of_slice());
    dd_fan_forward_of_slice(passes_, ones.data(), sums.data());
    backend().safe_reciprocal(sums, threshold);
    return sums;
  }
  std::size_t rays_of_slice() const { return range_size() / static_cast<std::size_t>(slices()); }

  // ---- Transpose, and what is made on its way

  void do_adjoint(const Array& y, Array& x, ViewSubset subset) const override {
    const DeviceScope scope(cuda_.device());
    transpose(device::PlainRays{y.data()}, device::StoreSum{x.data()}, subset);
  }

  /// The residual is made where the transpose reads it.
  double do_residual_adjoint(const Array& x, const Array& b, const Array* row_weight, Array& r,
                             Array& out, ViewSubset subset) const override {
    const DeviceScope scope(cuda_.device());
    do_forward(x, r, subset);
    check_interrupt();
    transpose(residual_rays(b, row_weight, r), device::StoreSum{out.data()}, subset);
    add_up(passes_.residual_parts(subset), norms_on_device() + residual_square);
    return norm(residual_square);
  }

  UpdateNorms do_weighted_update(Array& x, const Array& b, const Array& row_weight,
                                 const WeightedUpdate& update, UpdateScratch& scratch,
                                 ViewSubset subset) const override {
    const DeviceScope scope(cuda_.device());
    check_interrupt();
    queue_update(x, b, row_weight, update, scratch, subset, norms_on_device());
    return update_norms();
  }

  /// Updates by a few views are shorter than the wait for their norms.
  int updates_at_once() const override {
    return std::clamp(static_cast<int>(swept_voxels / static_cast<double>(domain_size())), 1,
                      views());
  }

  UpdateNorms do_weighted_sweep(Array& x, const Array& b, const Array& row_weight,
                                const WeightedUpdate& update, UpdateScratch& scratch,
                                std::span<const ViewSubset> subsets) const override {
    const DeviceScope scope(cuda_.device());
    double swept_views = 0;
    for (const ViewSubset& subset : subsets) swept_views += subset.count;
    if (subsets.size() == 1 || swept_views * static_cast<double>(domain_size()) > swept_voxels)
      return LinearOperator::do_weighted_sweep(x, b, row_weight, update, scratch, subsets);
    check_interrupt();
    const std::size_t count = norms * subsets.size();
    if (count > swept_norms_.size()) {
      recorded_sweeps_.clear();
      step_norms_ = DeviceBuffer<double>(cuda_, count, "norms on the GPU");
      swept_norms_ = PinnedBuffer<double>(count);
    }
    const SweepCall call{x.data(),
                         b.data(),
                         row_weight.data(),
                         scratch.column_weight.data(),
                         scratch.rays.data(),
                         update.relaxation,
                         update.low,
                         update.smallest_column_sum,
                         update.column_weight,
                         {subsets.begin(), subsets.end()}};
    recorded_sweeps_.run(cuda_.stream(), call, [&] {
      for (std::size_t i = 0; i < subsets.size(); ++i)
        queue_update(x, b, row_weight, update, scratch, subsets[i], step_norms_.data() + norms * i);
      gantry::check(cudaMemcpyAsync(swept_norms_.data(), step_norms_.data(), count * sizeof(double),
                                    cudaMemcpyDeviceToHost, cuda_.stream()),
                    "a sweep on the GPU");
    });
    cuda_.synchronize();
    UpdateNorms sum;
    for (std::size_t i = 0; i < count; i += norms) {
      sum.residual_square += swept_norms_.data()[i + residual_square];
      sum.update_square += swept_norms_.data()[i + update_square];
    }
    return sum;
  }

  /// Where a sweep finds its operands, and its views in their order.
  struct SweepCall {
    const float *x, *b, *row_weight, *column_weight, *r;
    float relaxation, low, smallest_column_sum, in_place_of_sums;
    std::vector<ViewSubset> subsets;
    bool operator==(const SweepCall&) const = default;
  };

  /// Its column sums or what takes their place, then its step.
  void queue_update(Array& x, const Array& b, const Array& row_weight, const WeightedUpdate& update,
                    UpdateScratch& scratch, ViewSubset subset, double* norms_there) const {
    if (update.by_column_sums())
      transpose(device::OnesRays{},
                device::StoreReciprocal{scratch.column_weight.data(), update.smallest_column_sum},
                subset);
    else
      backend().fill(scratch.column_weight, update.column_weight);
    do_forward(x, scratch.rays, subset);
    transpose(residual_rays(b, &row_weight, scratch.rays),
              update_image(x, {&row_weight, scratch.column_weight, update.relaxation, update.low}),
              subset);
    add_up_norms(subset, norms_there);
  }

  /// Iterations are alike, and recorded.
  UpdateNorms do_gradient_update(Array& x, const Array& b, const GradientStep& step, Array&,
                                 Array&) const override {
    const DeviceScope scope(cuda_.device());
    check_interrupt();
    const StepCall call{x.data(),
                        b.data(),
                        step.row_weight != nullptr ? step.row_weight->data() : nullptr,
                        step.column_weight.data(),
                        step.row_weight != nullptr && step.row_weight->size() != range_size(),
                        step.relaxation,
                        step.low};
    recorded_steps_.run(cuda_.stream(), call, [&] { queue_step(x, step, call); });
    return update_norms();
  }

  /// Where a step of all views finds its operands.
  struct StepCall {
    const float *x, *b, *row_weight, *column_weight;
    bool weights_of_slice;
    float relaxation, low;
    bool operator==(const StepCall&) const = default;
  };

  /// Group by group of slices, which know nothing of each other. The image is updated where the
  /// sums of the transpose come together, and by nothing before.
  void queue_step(Array& x, const GradientStep& step, const StepCall& call) const {
    DdFanTranspose adjoint(passes_);
    const device::ProjectedRays rays{.b = call.b,
                                     .weight = call.row_weight,
                                     .of_slice = call.weights_of_slice ? 1 : 0,
                                     .partial = partials()};
    passes_.for_groups(all(), [&](const auto& group) {
      dd_fan_project(passes_, group, call.x);
      adjoint.run(group, rays, update_image(x, step));
    });
    add_up_norms(all(), norms_on_device());
  }

  // ---- Norms: partial sums of warps, added up in one order

  enum Norm { residual_square, update_square, norms };
  static constexpr int sum_threads = 256;

  device::ResidualRays residual_rays(const Array& b, const Array* row_weight, Array& r) const {
    return {b.data(), row_weight != nullptr ? row_weight->data() : nullptr, r.data(), partials()};
  }
  device::UpdateImage update_image(Array& x, const GradientStep& step) const {
    return {x.data(), step.column_weight.data(), step.relaxation, step.low,
            partials() + residual_room()};
  }
  void add_up_norms(ViewSubset subset, double* norms_there) const {
    add_up(passes_.residual_parts(subset), norms_there + residual_square);
    add_up(passes_.update_blocks(subset) * device::fold_rows, norms_there + update_square,
           residual_room());
  }
  int slices() const { return grid().nz; }
  /// What any subset needs.
  std::size_t residual_room() const { return passes_.most_residual_parts(); }
  std::size_t update_room() const { return passes_.most_update_blocks() * device::fold_rows; }
  /// Those of the residual, then those of the update.
  double* partials() const {
    if (partials_.empty()) {
      partials_ = DeviceBuffer<double>(cuda_, residual_room() + update_room(), "norms on the GPU");
      norms_ = PinnedBuffer<double>(norms);
    }
    return partials_.data();
  }
  /// Page-locked memory as the device sees it.
  double* norms_on_device() const {
    partials();
    return norms_.device_data();
  }
  void add_up(std::size_t count, double* result, std::size_t first = 0) const {
    kernels::add_partials<sum_threads><<<1, sum_threads, 0, cuda_.stream()>>>(
        partials() + first, static_cast<int>(count), result);
    check_launch("add_partials");
  }
  double norm(Norm which) const {
    cuda_.synchronize();
    return *(norms_.data() + which);
  }
  UpdateNorms update_norms() const {
    const double residual = norm(residual_square);
    return {residual, *(norms_.data() + update_square)};
  }

  /// From rays (what `rays` makes of them) to an image (what `sink` makes of its sums).
  template <class Rays, class Sink>
  void transpose(const Rays& rays, const Sink& sink, ViewSubset subset) const {
    DdFanTranspose(passes_).run(rays, sink, subset);
  }

  const CudaBackend& cuda_;
  std::unique_ptr<RowSource> rows_;
  DdFanPasses passes_;
  // Made when first needed.
  mutable DeviceBuffer<double> partials_;
  mutable PinnedBuffer<double> norms_;
  mutable DeviceBuffer<double> step_norms_;   // of a sweep's updates
  mutable PinnedBuffer<double> swept_norms_;  // the same
  mutable RecordedCalls<StepCall> recorded_steps_{1};
  mutable RecordedCalls<SweepCall> recorded_sweeps_{4};  // in parts: some of it, and the rest
};

void require_countable_lines(const ScanGeometry& geometry, const VolumeGrid& grid) {
  const int longest = std::max({geometry.columns(), grid.nx, grid.ny});
  if (longest > longest_line)
    throw UsageError("lines of " + std::to_string(longest) +
                         " pixels or detector cells are too long for the GPU",
                     "projector", "use at most " + std::to_string(longest_line));
}

}  // namespace

std::unique_ptr<Projector> make_cuda_dd_2d(Backend& backend,
                                           std::shared_ptr<const ScanGeometry> geometry,
                                           const VolumeGrid& grid) {
  require_countable_lines(*geometry, grid);
  return std::make_unique<CudaDistanceDriven2d>(backend, std::move(geometry), grid);
}

}  // namespace gantry
