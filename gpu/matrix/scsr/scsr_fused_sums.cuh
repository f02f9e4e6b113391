#pragma once

// What a launch that computes residual and backprojection adds up (scsr_fused.cuh,
// scsr_dense_fused.cuh).
#include "gpu/base/launch.hpp"
#include "gpu/base/pinned_buffer.hpp"
#include "gpu/device/elementwise.cuh"
#include "gpu/matrix/scsr/scsr_copies.cuh"

namespace gantry {

/// The sums Z of the image under each element of the symmetry group, and the squared residuals of
/// each stored ray. Empty unless made with sizes. One thread at a time.
template <int Count>
class FusedSums {
 public:
  FusedSums() = default;
  FusedSums(const CudaBackend& cuda, std::size_t pixels, std::size_t stored_rays)
      : cuda_(&cuda),
        sums_(cuda, pixels * Count, "sums of the image"),
        squares_(cuda, stored_rays, "norms on the GPU"),
        square_(1) {}

  bool empty() const { return sums_.empty(); }
  std::size_t bytes() const {
    return sums_.size() * sizeof(float) + squares_.size() * sizeof(double);
  }

  /// Returns Z, set to 0.
  float* cleared() {
    check(cudaMemsetAsync(sums_.data(), 0, sums_.size() * sizeof(float), cuda_->stream()),
          "a product");
    return sums_.data();
  }
  double* squares() { return squares_.data(); }

  /// Writes `unit` times the sum of Z over the elements to `out`, [row][column]. Returns the sum of
  /// the squared residuals. `grid`: blocks of the image.
  double finish(const device::StoredViewMaps& maps, dim3 grid, float unit, float* out) {
    device::fold_image<Count, false>
        <<<grid, usual_threads, 0, cuda_->stream()>>>(maps, sums_.data(), 1, unit, {nullptr}, out);
    check_launch("fold_image");
    kernels::add_partials<usual_threads><<<1, usual_threads, 0, cuda_->stream()>>>(
        squares_.data(), static_cast<int>(squares_.size()), square_.device_data());
    check_launch("add_partials");
    cuda_->synchronize();
    return *square_.data();
  }

 private:
  const CudaBackend* cuda_ = nullptr;
  DeviceBuffer<float> sums_;
  DeviceBuffer<double> squares_;
  PinnedBuffer<double> square_;
};

}  // namespace gantry
