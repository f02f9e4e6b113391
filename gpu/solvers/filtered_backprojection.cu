// Filtered backprojection on a CUDA device. The detector rows of a group of views are weighted
// (weight_rows), filtered with Fourier transforms by cuFFT (multiply_rows) and backprojected into
// the volume, group after group. See core/solvers/direct/filtered_backprojection.cpp for the
// formulas.
#include "core/solvers/direct/fbp.hpp"
#include "core/solvers/direct/fdk.hpp"
#include "gpu/base/launch.hpp"
#include "gpu/base/row_transforms.hpp"
#include "gpu/device/block_shape.hpp"
#include "gpu/projectors/voxel/voxel_backprojection.hpp"
#include "gpu/solvers/filtered_backprojection.hpp"
#include "gpu/solvers/row_filter.cuh"

namespace gantry {

namespace {

class CudaFilteredSum final : public FilteredSum {
 public:
  CudaFilteredSum(const Projector& projector, FilteringPlan plan)
      : projector_(projector),
        cuda_(cuda_backend(projector.backend())),
        plan_(std::move(plan)),
        cell_weight_(cuda_, plan_.cell_weight),
        column_weight_(cuda_, plan_.column_weight),
        response_(cuda_, half_response(plan_.filter)),
        measured_view_(cuda_, plan_.measured_view),
        backprojection_(cuda_, plan_.widened, projector.grid(), 2),
        transforms_(cuda_, padded(), rows_at_once()) {}

  std::size_t workspace_bytes() const override {
    const std::size_t tables = cell_weight_.size() + column_weight_.size() + response_.size(),
                      rows = static_cast<std::size_t>(rows_at_once()) * row_step();
    return (tables + rows) * sizeof(float) + measured_view_.size() * sizeof(int) +
           backprojection_.workspace_bytes() + transforms_.workspace_bytes();
  }

 private:
  static std::vector<float> half_response(const RampFilter& filter) {
    const auto half = filter.response().first(filter.padded() / 2 + 1);
    return {half.begin(), half.end()};
  }

  int rows_at_once() const {
    return backprojection_.views_at_once() * projector_.geometry().rows();
  }
  int padded() const { return static_cast<int>(plan_.filter.padded()); }
  std::size_t row_step() const { return plan_.filter.padded() + 2; }

  // The last group may have fewer views than the transforms cover. The transforms then also process
  // old rows of the group before, whose results are not read.
  void do_compute(const Array& rays, Array& mu) const override {
    const DeviceScope scope(cuda_.device());
    DeviceBuffer<float> data(cuda_, static_cast<std::size_t>(rows_at_once()) * row_step(),
                             "the ramp filter");
    backprojection_.apply(
        ViewSubset::all(plan_.widened.views()),
        [&](int first, int count) {
          filter_views(rays.data(), first, count, data.data());
          return device::VoxelRows{
              data.data(), row_step() * static_cast<std::size_t>(projector_.geometry().rows()),
              row_step(), nullptr};
        },
        [&] { projector_.check_interrupt(); }, mu.data());
  }

  /// Computes s_v Q_v for views first .. first + count - 1 on the widened detector: data[row of all
  /// views][index], padded + 2 floats per row.
  void filter_views(const float* rays, int first, int count, float* data) const {
    const ScanGeometry& geometry = projector_.geometry();
    const int columns = geometry.columns(), frequencies = padded() / 2 + 1;
    const unsigned rows = static_cast<unsigned>(count) * static_cast<unsigned>(geometry.rows());
    const auto from = static_cast<std::size_t>(first);
    const device::RowWeighting weighting{
        rays,
        cell_weight_.data(),
        column_weight_.data() + from * static_cast<std::size_t>(columns),
        measured_view_.data() + from,
        columns,
        geometry.rows(),
        static_cast<int>(plan_.lead),
        padded()};
    device::weight_rows<<<dim3(rows, blocks(padded() + 2, usual_threads)), usual_threads, 0,
                          cuda_.stream()>>>(weighting, data);
    check_launch("weight_rows");
    transforms_.forward(data);
    device::multiply_rows<<<dim3(rows, blocks(frequencies, usual_threads)), usual_threads, 0,
                            cuda_.stream()>>>(response_.data(), frequencies,
                                              reinterpret_cast<float2*>(data));
    check_launch("multiply_rows");
    transforms_.back(data);
  }

  const Projector& projector_;
  const CudaBackend& cuda_;
  FilteringPlan plan_;
  DeviceBuffer<float> cell_weight_, column_weight_, response_;
  DeviceBuffer<int> measured_view_;
  CudaVoxelBackprojection backprojection_;
  RowTransforms transforms_;
};

}  // namespace

std::unique_ptr<FilteredSum> make_cuda_filtered_sum(const Projector& projector,
                                                    FilteringPlan plan) {
  return std::make_unique<CudaFilteredSum>(projector, std::move(plan));
}

std::unique_ptr<Solver> make_cuda_fbp(const Params& params) {
  return make_fbp_with(params, make_cuda_filtered_sum);
}

std::unique_ptr<Solver> make_cuda_fdk(const Params& params) {
  return make_fdk_with(params, make_cuda_filtered_sum);
}

}  // namespace gantry
