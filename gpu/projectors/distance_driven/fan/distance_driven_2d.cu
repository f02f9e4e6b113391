// The 2D distance-driven pair as a Projector, with a gradient step and sweeps of its own. Its
// products are in dd_fan_forward.cu and dd_fan_transpose.cuh.
#include "core/operator/subset_sweep.hpp"
#include "core/projectors/distance_driven/dd_rows.hpp"
#include "gpu/base/launch.hpp"
#include "gpu/base/pinned_buffer.hpp"
#include "gpu/base/recorded_calls.hpp"
#include "gpu/device/elementwise.cuh"
#include "gpu/projectors/distance_driven/fan/dd_fan_forward.hpp"
#include "gpu/projectors/distance_driven/fan/dd_fan_transpose.cuh"
#include "gpu/projectors/distance_driven/fan/distance_driven_2d.hpp"
#include "gpu/projectors/distance_driven/weights/dd_access.hpp"

#include <algorithm>
#include <cmath>
#include <span>

namespace gantry {

namespace {

constexpr int longest_line = 1 << 20;  // pixels or cells: leaves 3 bits of a float for fractions
constexpr double swept_voxels = 1e9;   // voxels times views of a recorded sweep, some 10 ms

/// The norms of an update, whose partial sums the kernels of the update make. They are added up on
/// the device, always in the same order.
class FanNorms {
 public:
  enum Norm { residual_square, update_square, count };

  explicit FanNorms(const DdFanPasses& passes) : passes_(passes), cuda_(passes.cuda()) {}

  /// Partial sums of the residual's squared norm; update_parts(), behind them: of the update's.
  double* residual_parts() {
    if (partials_.empty()) {
      partials_ = DeviceBuffer<double>(cuda_, passes_.norm_parts(), "norms on the GPU");
      norms_ = PinnedBuffer<double>(count);
    }
    return partials_.data();
  }
  double* update_parts() { return residual_parts() + passes_.most_residual_parts(); }
  /// Returns the device address of the page-locked memory from which read() takes the norms.
  double* on_device() {
    residual_parts();
    return norms_.device_data();
  }

  void add_up_residual(ViewSubset subset, double* norms) {
    add_up(residual_parts(), passes_.residual_parts(subset), norms + residual_square);
  }
  void add_up(ViewSubset subset, double* norms) {
    add_up_residual(subset, norms);
    add_up(update_parts(), passes_.update_blocks(subset) * device::fold_rows,
           norms + update_square);
  }
  /// Waits for the device and returns the norms.
  UpdateNorms read() {
    cuda_.synchronize();
    return {norms_.data()[residual_square], norms_.data()[update_square]};
  }

 private:
  void add_up(const double* parts, std::size_t parts_count, double* result) const {
    constexpr int threads = dd_fan::sum_threads;
    kernels::add_partials<threads>
        <<<1, threads, 0, cuda_.stream()>>>(parts, static_cast<int>(parts_count), result);
    check_launch("add_partials");
  }

  const DdFanPasses& passes_;
  const CudaBackend& cuda_;
  DeviceBuffer<double> partials_;  // allocated when first needed, as is norms_
  PinnedBuffer<double> norms_;
};

class CudaDistanceDriven2d final : public Projector,
                                   public MakesGradientSteps,
                                   public MakesSubsetSweeps,
                                   public GivesColumns,
                                   public GivesRows {
 public:
  CudaDistanceDriven2d(Backend& backend, std::shared_ptr<const ScanGeometry> geometry,
                       const VolumeGrid& grid)
      : Projector(backend, geometry, grid),
        cuda_(cuda_backend(backend)),
        rows_(make_dd_rows(geometry, grid)),
        passes_(cuda_, *geometry, grid),
        norms_(passes_) {}

  const RowSource* row_source() const override { return rows_.get(); }
  std::unique_ptr<ColumnAccess> make_columns(ColumnWorker worker) const override {
    return make_cuda_dd_columns(*this, worker);
  }
  std::size_t columns_bytes() const override { return cuda_dd_access_bytes(geometry()); }
  std::unique_ptr<RowAccess> make_rows(const RowWorkers& workers) const override {
    return make_cuda_dd_rows(*this, workers);
  }
  /// The rounding of differences of prefix sums, largest where a cell is narrower than a pixel.
  double rounding() const override { return 1e-5; }
  std::size_t workspace_bytes() const override { return passes_.bytes(); }
  StepWorkspace gradient_step_workspace() const override { return passes_.step_workspace(); }
  std::unique_ptr<GradientStep> make_gradient_step() const override;
  std::unique_ptr<SubsetSweep> make_subset_sweep(Array row_weight,
                                                 const SubsetUpdate& update) const override;

 private:
  class Step;
  class Sweep;

  void do_forward(const Array& x, Array& y, ViewSubset subset) const override {
    const DeviceScope scope(cuda_.device());
    dd_fan_forward(passes_, x.data(), y.data(), subset);
  }
  void do_adjoint(const Array& y, Array& x, ViewSubset subset) const override {
    const DeviceScope scope(cuda_.device());
    transpose(device::PlainRays{y.data()}, device::StoreSum{x.data()}, subset);
  }

  /// The transpose makes the residual as it reads the rays (ResidualRays).
  double do_residual_adjoint(const Array& x, const Array& b, const Array* row_weight, Array& r,
                             Array& out, ViewSubset subset) const override {
    const DeviceScope scope(cuda_.device());
    do_forward(x, r, subset);
    check_interrupt();
    transpose(residual_rays(b, row_weight, r, norms_), device::StoreSum{out.data()}, subset);
    norms_.add_up_residual(subset, norms_.on_device());
    return norms_.read().residual_square;
  }

  static device::ResidualRays residual_rays(const Array& b, const Array* row_weight, Array& r,
                                            FanNorms& norms) {
    return {b.data(), row_weight != nullptr ? row_weight->data() : nullptr, r.data(),
            norms.residual_parts()};
  }

  /// Transposes the rays that `rays` returns and passes the sum of each pixel to `sink`.
  template <class Rays, class Sink>
  void transpose(const Rays& rays, const Sink& sink, ViewSubset subset) const {
    DdFanTranspose(passes_).run(rays, sink, subset);
  }

  int slices() const { return grid().nz; }

  const CudaBackend& cuda_;
  std::unique_ptr<RowSource> rows_;
  DdFanPasses passes_;
  mutable FanNorms norms_;  // of do_residual_adjoint
};

/// A gradient step of all views. For one group of slices after the other, the forward product
/// writes to the memory in which the transpose makes its prefix sums, so that the step needs no
/// array of residuals. dd_fan_fold updates the image. Steps that only differ in their operands'
/// contents replay a recorded graph; a step takes some 10 ms and is not interrupted.
class CudaDistanceDriven2d::Step final : public GradientStep {
 public:
  explicit Step(const CudaDistanceDriven2d& A) : GradientStep(A), A_(A), norms_(A.passes_) {}

 private:
  void do_scale_rows(Array weights) override {
    recorded_.clear();
    row_weight_ = std::move(weights);
    of_one_slice_ = false;
  }

  /// All slices of a stack have the same row weights, so that those of one slice are stored.
  void do_scale_rows_by_inverse_sums(const Array& ones, float threshold) override {
    const DeviceScope scope(A_.cuda_.device());
    recorded_.clear();
    of_one_slice_ = A_.slices() > 1;
    row_weight_ = Array(A_.backend(), A_.range_size() / static_cast<std::size_t>(A_.slices()));
    if (of_one_slice_)
      dd_fan_forward_of_slice(A_.passes_, ones.data(), row_weight_.data());
    else
      A_.do_forward(ones, row_weight_, A_.all());
    A_.backend().safe_reciprocal(row_weight_, threshold);
  }

  UpdateNorms do_apply(Array& x, const Array& b, const Array& column_weight,
                       StepBounds bounds) override {
    const DeviceScope scope(A_.cuda_.device());
    A_.check_interrupt();
    norms_.on_device();  // memory is allocated before anything is recorded
    recorded_.run(A_.cuda_.stream(),
                  Call{x.data(), b.data(), column_weight.data(), bounds.relaxation, bounds.low},
                  [&] { queue(x, b, column_weight, bounds); });
    return norms_.read();
  }

  void queue(Array& x, const Array& b, const Array& column_weight, StepBounds bounds) {
    DdFanTranspose adjoint(A_.passes_);
    const device::ProjectedRays rays{.b = b.data(),
                                     .weight = row_weight_.empty() ? nullptr : row_weight_.data(),
                                     .of_slice = of_one_slice_ ? 1 : 0,
                                     .partial = norms_.residual_parts()};
    const device::UpdateImage image{x.data(), column_weight.data(), bounds.relaxation, bounds.low,
                                    norms_.update_parts()};
    A_.passes_.for_groups(A_.all(), [&](const auto& group) {
      dd_fan_forward_to_sums(A_.passes_, group, x.data());
      adjoint.run(group, rays, image);
    });
    norms_.add_up(A_.all(), norms_.on_device());
  }

  /// The arguments that a recorded step depends on, beside the members of the step.
  struct Call {
    const float *x, *b, *column_weight;
    float relaxation, low;
    bool operator==(const Call&) const = default;
  };

  const CudaDistanceDriven2d& A_;
  Array row_weight_;           // of all rays, or of the rays of one slice; empty: the identity
  bool of_one_slice_ = false;  // whether row_weight_ has the rays of one slice
  FanNorms norms_;
  RecordedCalls<Call> recorded_{1};
};

/// Sweeps whose updates make the residual in dd_fan_sum_views and update the image in dd_fan_fold.
/// Updates by a few views are shorter than the wait for their norms, so that as many as take some
/// 10 ms together are recorded and launched as one graph.
class CudaDistanceDriven2d::Sweep final : public SubsetSweep {
 public:
  Sweep(const CudaDistanceDriven2d& A, Array row_weight, const SubsetUpdate& update)
      : SubsetSweep(A, std::move(row_weight), update), A_(A), norms_(A.passes_) {}

  int subsets_at_once(int views_of_subset) const override {
    const double voxels = static_cast<double>(A_.domain_size()) * views_of_subset;
    return std::clamp(static_cast<int>(swept_voxels / voxels), 1, A_.views());
  }

 private:
  UpdateNorms do_update(Array& x, const Array& b, ViewSubset subset) override {
    const DeviceScope scope(A_.cuda_.device());
    A_.check_interrupt();
    queue(x, b, subset, norms_.on_device());
    return norms_.read();
  }

  UpdateNorms do_run(Array& x, const Array& b, std::span<const ViewSubset> subsets) override {
    double swept_views = 0;
    for (const ViewSubset& subset : subsets) swept_views += subset.count;
    if (subsets.size() == 1 || swept_views * static_cast<double>(A_.domain_size()) > swept_voxels)
      return SubsetSweep::do_run(x, b, subsets);
    const DeviceScope scope(A_.cuda_.device());
    A_.check_interrupt();
    const std::size_t count = FanNorms::count * subsets.size();
    make_norms(count);
    recorded_.run(
        A_.cuda_.stream(), Call{x.data(), b.data(), {subsets.begin(), subsets.end()}}, [&] {
          for (std::size_t i = 0; i < subsets.size(); ++i)
            queue(x, b, subsets[i], update_norms_.data() + FanNorms::count * i);
          gantry::check(
              cudaMemcpyAsync(read_norms_.data(), update_norms_.data(), count * sizeof(double),
                              cudaMemcpyDeviceToHost, A_.cuda_.stream()),
              "a sweep on the GPU");
        });
    A_.cuda_.synchronize();
    UpdateNorms sum;
    for (std::size_t i = 0; i < count; i += FanNorms::count) {
      sum.residual_square += read_norms_.data()[i + FanNorms::residual_square];
      sum.update_square += read_norms_.data()[i + FanNorms::update_square];
    }
    return sum;
  }

  void make_norms(std::size_t count) {
    norms_.on_device();  // memory is allocated before anything is recorded
    if (count <= read_norms_.size()) return;
    recorded_.clear();
    update_norms_ = DeviceBuffer<double>(A_.cuda_, count, "norms on the GPU");
    read_norms_ = PinnedBuffer<double>(count);
  }

  /// Queues an update: the column weights (inverse column sums of the subset, or one number), then
  /// the products.
  void queue(Array& x, const Array& b, ViewSubset subset, double* norms) {
    if (update().by_column_sums())
      A_.transpose(device::OnesRays{},
                   device::StoreReciprocal{column_weight().data(), update().smallest_column_sum},
                   subset);
    else
      A_.backend().fill(column_weight(), update().column_weight);
    A_.do_forward(x, rays(), subset);
    A_.transpose(residual_rays(b, &row_weight(), rays(), norms_),
                 device::UpdateImage{x.data(), column_weight().data(), update().relaxation,
                                     update().low, norms_.update_parts()},
                 subset);
    norms_.add_up(subset, norms);
  }

  /// The arguments that a recorded sweep depends on, beside the members of the sweep.
  struct Call {
    const float *x, *b;
    std::vector<ViewSubset> subsets;
    bool operator==(const Call&) const = default;
  };

  const CudaDistanceDriven2d& A_;
  FanNorms norms_;
  DeviceBuffer<double> update_norms_;  // of each update of a recorded sweep
  PinnedBuffer<double> read_norms_;
  RecordedCalls<Call> recorded_{4};  // a sweep may be run in several parts
};

std::unique_ptr<GradientStep> CudaDistanceDriven2d::make_gradient_step() const {
  return std::make_unique<Step>(*this);
}

std::unique_ptr<SubsetSweep> CudaDistanceDriven2d::make_subset_sweep(
    Array row_weight, const SubsetUpdate& update) const {
  return std::make_unique<Sweep>(*this, std::move(row_weight), update);
}

void require_countable_lines(const ScanGeometry& geometry, const VolumeGrid& grid) {
  const int longest = std::max({geometry.columns(), grid.nx, grid.ny});
  if (longest > longest_line)
    throw UsageError("an image line or detector row of " + std::to_string(longest) +
                         " elements is too long for this projector on a GPU",
                     "projector",
                     "use at most " + std::to_string(longest_line) + " pixels and columns");
}

}  // namespace

std::unique_ptr<Projector> make_cuda_dd_2d(Backend& backend,
                                           std::shared_ptr<const ScanGeometry> geometry,
                                           const VolumeGrid& grid) {
  require_countable_lines(*geometry, grid);
  return std::make_unique<CudaDistanceDriven2d>(backend, std::move(geometry), grid);
}

}  // namespace gantry
