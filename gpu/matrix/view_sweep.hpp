#pragma once

#include "core/projectors/linear_operator.hpp"
#include "gpu/base/device_buffer.hpp"
#include "gpu/base/pinned_buffer.hpp"
#include "gpu/base/recorded_calls.hpp"
#include "gpu/kernels/elementwise.cuh"
#include "gpu/kernels/view_sweep.cuh"
#include "gpu/projectors/launch.hpp"

#include <algorithm>
#include <span>

namespace gantry {

/// Sweeps of weighted updates over a matrix and its transpose: two kernels an
/// update, all of a sweep recorded as one graph, and one wait for its norms. It is too short to be
/// interrupted. What the layouts' lines point at outlives it.
template <class RowLines, class ColumnLines = RowLines>
class ViewSweep {
 public:
  /// Lines of the rows, so many places for each view, and of the voxels.
  ViewSweep(const CudaBackend& cuda, int views, int cells, const RowLines& rows, int places_of_view,
            const ColumnLines& columns, std::int64_t places)
      : cuda_(cuda),
        rows_(rows),
        columns_(columns),
        places_of_view_(places_of_view),
        places_(places),
        first_(cuda, static_cast<std::size_t>(places) * static_cast<std::size_t>(views + 1),
               "the views of a stored matrix"),
        norms_(2) {
    const DeviceScope scope(cuda.device());
    device::find_views<<<blocks(places, 256), 256, 0, cuda.stream()>>>(columns, places, views,
                                                                       cells, first_.data());
    check_launch("find_views");
  }

  UpdateNorms run(const device::SweepData& data, std::span<const ViewSubset> subsets) {
    const DeviceScope scope(cuda_.device());
    const Call call = prepare(data, subsets);
    recorded_.run(cuda_.stream(), call, [&] { queue(call); });
    cuda_.synchronize();
    return {norms_.data()[0], norms_.data()[1]};
  }

 private:
  /// What a recording holds on to. The views of its steps are no part of it.
  struct Call {
    const float *x, *b, *row_weight, *r;
    float relaxation, low, smallest_column_sum, common_weight;
    std::size_t steps;
    std::int64_t most_places;  // of a step's views
    bool operator==(const Call&) const = default;
  };
  static constexpr int sum_threads = 256;

  Call prepare(const device::SweepData& data, std::span<const ViewSubset> subsets) {
    data_ = data;
    Call call{data.x,          data.b,   data.row_weight,          data.r,
              data.relaxation, data.low, data.smallest_column_sum, data.common_weight,
              subsets.size(),  0};
    std::int64_t most_places = 0;
    for (const ViewSubset& subset : subsets)
      most_places = std::max(most_places, std::int64_t{subset.count} * places_of_view_);
    call.most_places = most_places;
    make_room(subsets.size(), static_cast<std::size_t>(most_places));
    for (std::size_t i = 0; i < subsets.size(); ++i)
      upload_.data()[i] = {subsets[i].first, subsets[i].stride, subsets[i].count, places_of_view_};
    return call;
  }

  /// The last sweep has been waited for: nothing reads what is replaced here.
  void make_room(std::size_t steps, std::size_t ray_places) {
    const std::size_t partials = ray_places + voxel_blocks();
    if (steps <= upload_.size() && partials <= partials_.size()) return;
    recorded_.clear();
    if (steps > upload_.size()) {
      upload_ = PinnedBuffer<device::ViewRange>(steps);
      steps_ = DeviceBuffer<device::ViewRange>(cuda_, steps);
    }
    if (partials > partials_.size())
      partials_ = DeviceBuffer<double>(cuda_, partials, "norms on the GPU");
  }
  unsigned voxel_blocks() const { return blocks(places_, 256); }

  void queue(const Call& call) {
    const auto stream = cuda_.stream();
    const auto ray_places = static_cast<std::size_t>(call.most_places);
    double* of_voxels = partials_.data() + ray_places;
    check(cudaMemcpyAsync(steps_.data(), upload_.data(), call.steps * sizeof(device::ViewRange),
                          cudaMemcpyHostToDevice, stream),
          "a sweep on the GPU");
    check(cudaMemsetAsync(partials_.data(), 0, (ray_places + voxel_blocks()) * sizeof(double),
                          stream),
          "a sweep on the GPU");
    const unsigned ray_blocks = std::max(blocks(call.most_places, RowLines::together), 1U);
    for (int step = 0; step < static_cast<int>(call.steps); ++step) {
      start("sweep_rays", device::sweep_rays<RowLines>, ray_blocks, device::ray_threads<RowLines>,
            step > 0, rows_, steps_.data(), step, data_, partials_.data());
      start("sweep_voxels", device::sweep_voxels<ColumnLines>, voxel_blocks(), 256, true, columns_,
            places_, first_.data(), steps_.data(), step, data_, of_voxels);
    }
    kernels::add_partials<sum_threads><<<1, sum_threads, 0, stream>>>(
        partials_.data(), static_cast<int>(ray_places), norms_.device_data());
    check_launch("add_partials");
    kernels::add_partials<sum_threads><<<1, sum_threads, 0, stream>>>(
        of_voxels, static_cast<int>(voxel_blocks()), norms_.device_data() + 1);
    check_launch("add_partials");
  }

  /// Whether kernels of a sweep may start before the one before them has ended. They wait for it.
  static constexpr bool overlap = true;

  /// `follows`: another kernel of the sweep.
  template <class... Parameters, class... Arguments>
  void start(const char* name, void (*kernel)(Parameters...), unsigned grid, unsigned threads,
             bool follows, Arguments... arguments) const {
    cudaLaunchAttribute attribute{};
    attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attribute.val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t config{};
    config.gridDim = grid;
    config.blockDim = threads;
    config.stream = cuda_.stream();
    config.attrs = &attribute;
    config.numAttrs = overlap && follows && cuda_.compute_capability() >= 90 ? 1 : 0;
    check(cudaLaunchKernelEx(&config, kernel, Parameters(arguments)...), name);
  }

  const CudaBackend& cuda_;
  RowLines rows_;
  ColumnLines columns_;
  int places_of_view_;
  std::int64_t places_;
  DeviceBuffer<device::ViewStart> first_;
  PinnedBuffer<double> norms_;  // of the residual, of the update
  PinnedBuffer<device::ViewRange> upload_;
  DeviceBuffer<device::ViewRange> steps_;
  DeviceBuffer<double> partials_;
  device::SweepData data_{};
  RecordedCalls<Call> recorded_{4};  // a sweep in parts has a shorter one at its end
};

}  // namespace gantry
