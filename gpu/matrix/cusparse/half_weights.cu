#include "gpu/base/launch.hpp"
#include "gpu/device/block_shape.hpp"
#include "gpu/matrix/bsr_half/slice_halves.cuh"
#include "gpu/matrix/cusparse/half_weights.hpp"

namespace gantry {

namespace {

// half[i] = weight[i] * scale as a half; a thread per weight, blocks of 256.
__global__ void to_halves(const float* __restrict__ weight, std::int64_t count, float scale,
                          __half* __restrict__ half) {
  const std::int64_t i = blockIdx.x * std::int64_t{blockDim.x} + threadIdx.x;
  if (i < count) half[i] = device::half_weight(weight[i] * scale);
}

}  // namespace

DeviceBuffer<__half> weights_as_halves(const CudaBackend& cuda, DeviceCsr& matrix, float unit) {
  const DeviceScope scope(cuda.device());
  DeviceBuffer<__half> halves(cuda, matrix.weight.size(), "a stored matrix");
  const auto count = static_cast<std::int64_t>(halves.size());
  if (count > 0) {
    to_halves<<<blocks(count, usual_threads), usual_threads, 0, cuda.stream()>>>(
        matrix.weight.data(), count, 1 / unit, halves.data());
    check_launch("to_halves");
  }
  matrix.weight = DeviceBuffer<float>();
  return halves;
}

}  // namespace gantry
