#pragma once

#include "core/matrix/matrix_format.hpp"
#include "gpu/base/device_buffer.hpp"
#include "gpu/base/launch.hpp"
#include "gpu/base/pinned_buffer.hpp"
#include "gpu/base/recorded_calls.hpp"
#include "gpu/device/elementwise.cuh"
#include "gpu/matrix/sweeps/sweep_model.hpp"
#include "gpu/matrix/sweeps/tuning.hpp"

#include <algorithm>
#include <span>

namespace gantry {

/// Returns an update and its operands in the form that the kernels use.
inline device::SweepData sweep_data(const SweepOperands& operands, const SubsetUpdate& update) {
  return {operands.x.data(), operands.b.data(), operands.row_weight.data(), operands.r.data(),
          update.relaxation, update.low,        update.smallest_column_sum, update.column_weight};
}

/// Runs sweeps of weighted updates for any stored matrix: all updates of a sweep are recorded as
/// one graph, after which the host waits once for their norms. A sweep is not interrupted.
class RecordedSweep {
 public:
  /// Arguments of the kernels of an update. They read the update's views from steps[step] in device
  /// memory, so that a recorded graph serves every order of the subsets. In each update, one thread
  /// alone adds to a given partial sum of squares.
  struct Step {
    const device::ViewRange* steps;
    int step;
    const device::SweepData& data;
    double *of_rays, *of_voxels;  ///< partial sums
    std::int64_t most_places;     ///< the most rays, with padding, that an update of the sweep has
  };

  /// rays_of_view_padded: rays of a view with the layout's padding; voxel_sums: number of partial
  /// sums of the voxels' squared changes.
  RecordedSweep(const CudaBackend& cuda, int rays_of_view_padded, std::size_t voxel_sums)
      : cuda_(cuda), places_of_view_(rays_of_view_padded), voxel_sums_(voxel_sums), norms_(2) {}

  /// Runs a sweep and returns the sums of its norms. queue(step) launches the kernels of an update.
  template <class Queue>
  UpdateNorms run(const device::SweepData& data, std::span<const ViewSubset> subsets,
                  const Queue& queue) {
    const DeviceScope scope(cuda_.device());
    const Call call = prepare(data, subsets);
    recorded_.run(cuda_.stream(), call, [&] { record(call, queue); });
    cuda_.synchronize();
    return {norms_.data()[0], norms_.data()[1]};
  }

  /// Launches a kernel of an update. If it `follows` another kernel of the sweep, it may start
  /// before that one has ended; it must call wait_for_previous() (view_sweep.cuh).
  template <class... Parameters, class... Arguments>
  void start(const char* name, void (*kernel)(Parameters...), dim3 grid, unsigned threads,
             std::size_t shared_bytes, bool follows, Arguments... arguments) const {
    cudaLaunchAttribute attribute{};
    attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attribute.val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t config{};
    config.gridDim = grid;
    config.blockDim = threads;
    config.dynamicSmemBytes = shared_bytes;
    config.stream = cuda_.stream();
    config.attrs = &attribute;
    config.numAttrs = follows && cuda_.compute_capability() >= 90 ? 1 : 0;
    check(cudaLaunchKernelEx(&config, kernel, Parameters(arguments)...), name);
  }

 private:
  /// The arguments that a recorded graph depends on. The views of its updates are not among them.
  struct Call {
    const float *x, *b, *row_weight, *r;
    float relaxation, low, smallest_column_sum, column_weight;
    std::size_t steps;
    std::int64_t most_places;  // see Step
    bool operator==(const Call&) const = default;
  };

  Call prepare(const device::SweepData& data, std::span<const ViewSubset> subsets) {
    data_ = data;
    std::int64_t most_places = 0;
    for (const ViewSubset& subset : subsets)
      most_places = std::max(most_places, std::int64_t{subset.count} * places_of_view_);
    make_room(subsets.size(), static_cast<std::size_t>(most_places));
    for (std::size_t i = 0; i < subsets.size(); ++i)
      upload_.data()[i] = {subsets[i].first, subsets[i].stride, subsets[i].count, places_of_view_};
    return {data.x,          data.b,     data.row_weight,          data.r,
            data.relaxation, data.low,   data.smallest_column_sum, data.column_weight,
            subsets.size(),  most_places};
  }

  /// Allocates what a sweep needs. The previous sweep has ended, so that no kernel reads the memory
  /// that is replaced.
  void make_room(std::size_t steps, std::size_t ray_places) {
    const std::size_t partials = ray_places + voxel_sums_;
    if (steps <= upload_.size() && partials <= partials_.size()) return;
    recorded_.clear();
    if (steps > upload_.size()) {
      upload_ = PinnedBuffer<device::ViewRange>(steps);
      steps_ = DeviceBuffer<device::ViewRange>(cuda_, steps);
    }
    if (partials > partials_.size())
      partials_ = DeviceBuffer<double>(cuda_, partials, "norms on the GPU");
  }

  template <class Queue>
  void record(const Call& call, const Queue& queue) {
    const auto stream = cuda_.stream();
    const auto ray_places = static_cast<std::size_t>(call.most_places);
    double* of_voxels = partials_.data() + ray_places;
    check(cudaMemcpyAsync(steps_.data(), upload_.data(), call.steps * sizeof(device::ViewRange),
                          cudaMemcpyHostToDevice, stream),
          "a sweep on the GPU");
    check(cudaMemsetAsync(partials_.data(), 0, (ray_places + voxel_sums_) * sizeof(double), stream),
          "a sweep on the GPU");
    for (int step = 0; step < static_cast<int>(call.steps); ++step)
      queue(Step{steps_.data(), step, data_, partials_.data(), of_voxels, call.most_places});
    kernels::add_partials<sweeps::sum_threads><<<1, sweeps::sum_threads, 0, stream>>>(
        partials_.data(), static_cast<int>(ray_places), norms_.device_data());
    check_launch("add_partials");
    kernels::add_partials<sweeps::sum_threads><<<1, sweeps::sum_threads, 0, stream>>>(
        of_voxels, static_cast<int>(voxel_sums_), norms_.device_data() + 1);
    check_launch("add_partials");
  }

  const CudaBackend& cuda_;
  int places_of_view_;
  std::size_t voxel_sums_;
  PinnedBuffer<double> norms_;  // of the residual, of the update
  PinnedBuffer<device::ViewRange> upload_;
  DeviceBuffer<device::ViewRange> steps_;
  DeviceBuffer<double> partials_;
  device::SweepData data_{};
  RecordedCalls<Call> recorded_{4};  // a sweep may be run in parts, of which the last is shorter
};

}  // namespace gantry
