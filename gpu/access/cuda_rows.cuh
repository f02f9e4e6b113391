#pragma once

#include "core/operator/host_rows.hpp"
#include "core/operator/row_access.hpp"
#include "gpu/access/rows.cuh"
#include "gpu/base/cuda_backend.hpp"
#include "gpu/base/device_buffer.hpp"
#include "gpu/base/launch.hpp"

#include <algorithm>
#include <memory>
#include <utility>

namespace gantry {

class CudaRayList final : public RayList {
 public:
  CudaRayList(const CudaBackend& cuda, std::span<const std::uint32_t> rays)
      : rays_(cuda, rays, "the order of the rays") {}
  std::size_t size() const override { return rays_.size(); }
  const std::uint32_t* data() const { return rays_.data(); }

 private:
  DeviceBuffer<std::uint32_t> rays_;
};

/// The rows of a projector of a GPU, from a model of its weights (rows.cuh).
template <class Model>
class CudaRows : public RowAccess {
 public:
  /// `tables`: what the model points to, unless the projector holds it.
  CudaRows(const CudaBackend& cuda, const Projector& projector, const Model& model,
           const RowWorkers& workers, std::shared_ptr<const void> tables = nullptr)
      : cuda_(cuda),
        projector_(projector),
        tables_(std::move(tables)),
        model_(model),
        workers_(workers),
        sums_(cuda, 2, "sums over rays") {
    if (workers.variant != RowVariant::plain)
      throw UsageError("the variants of the kernel are those of the ray-driven projectors",
                       "solver.variant", "use variant=plain, or projector siddon or joseph");
  }

  bool is_sequential() const override { return false; }
  std::unique_ptr<RayList> list(std::span<const std::uint32_t> rays) const override {
    return std::make_unique<CudaRayList>(cuda_, rays);
  }

  double correct(const RowStep& step, const RayList& list, std::size_t first, std::size_t count,
                 Array& x) const override {
    const std::size_t bounds[] = {first, first + count};
    return correct_in_turn(
        step, list, bounds, [] {}, x);
  }

  double correct_in_turn(const RowStep& step, const RayList& list,
                         std::span<const std::size_t> bounds, const std::function<void()>& check,
                         Array& x) const override {
    const DeviceScope scope(cuda_.device());
    const auto data = [](const Array* array) { return array != nullptr ? array->data() : nullptr; };
    const device::RowUpdate update{step.b.data(),
                                   data(step.weights),
                                   data(step.pull),
                                   static_cast<float>(step.step),
                                   static_cast<float>(step.smallest),
                                   step.low,
                                   step.normalised};
    clear_sums();
    for (std::size_t k = 0; k + 1 < bounds.size(); ++k) {
      check();
      const device::RayListView rays{dynamic_cast<const CudaRayList&>(list).data(),
                                     static_cast<std::int64_t>(bounds[k]),
                                     static_cast<std::int64_t>(bounds[k + 1] - bounds[k])};
      if (rays.count == 0) continue;
      correct_list(rays, update, x, sums_.data());
    }
    return sums_.download()[0];
  }

  void count_rays(Array& n) const override {
    const DeviceScope scope(cuda_.device());
    n.backend().fill(n, 0.0F);
    const auto rays = static_cast<std::int64_t>(projector_.range_size());
    device::
        row_counts<<<blocks(rays, device::row_threads), device::row_threads, 0, cuda_.stream()>>>(
            model_, rays, n.data());
    check_launch("row_counts");
  }

  double mean_squared_norm() const override {
    const DeviceScope scope(cuda_.device());
    constexpr std::int64_t sampled_views = 16;
    const std::int64_t stride = std::max<std::int64_t>(1, projector_.views() / sampled_views),
                       views = (projector_.views() - 1) / stride + 1,
                       cells = static_cast<std::int64_t>(projector_.cells_per_view());
    clear_sums();
    device::row_norms<<<blocks(cells * views, device::row_threads), device::row_threads, 0,
                        cuda_.stream()>>>(model_, cells, views, stride, sums_.data());
    check_launch("row_norms");
    const std::vector<double> sums = sums_.download();
    return sums[1] > 0 ? sums[0] / sums[1] : 0;
  }

  Reach reach() const override { return ray_reach(projector_); }

 private:
  /// Corrects by the rays of a part of a list, and adds their squared residuals to *square.
  virtual void correct_list(const device::RayListView& rays, const device::RowUpdate& update,
                            Array& x, double* square) const {
    if (workers_.block)
      launch<32>(rays, update, x, square);
    else
      launch<1>(rays, update, x, square);
  }
  void clear_sums() const {
    check(cudaMemsetAsync(sums_.data(), 0, 2 * sizeof(double), cuda_.stream()), "sums over rays");
  }
  template <int Lanes>
  void launch(const device::RayListView& rays, const device::RowUpdate& update, Array& x,
              double* square) const {
    const unsigned grid = blocks(rays.count * Lanes, device::row_threads);
    if (workers_.racing)
      device::row_correct<Lanes, true><<<grid, device::row_threads, 0, cuda_.stream()>>>(
          model_, rays, update, x.data(), square);
    else
      device::row_correct<Lanes, false><<<grid, device::row_threads, 0, cuda_.stream()>>>(
          model_, rays, update, x.data(), square);
    check_launch("row_correct");
  }

  const CudaBackend& cuda_;
  const Projector& projector_;
  std::shared_ptr<const void> tables_;
  Model model_;
  RowWorkers workers_;
  mutable DeviceBuffer<double> sums_;  // mutable: scratch
};

}  // namespace gantry
