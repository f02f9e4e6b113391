// Prefix sums and sorting by CUB, and three small kernels in blocks of 256:
//
//   kernel           a thread has                       reads            writes
//   starts_of_keys   keys i, i + threads of the grid,   keys[i - 1],     start[k] = i, for all k in
//                    ...                                keys[i]          keys[i - 1] + 1 .. keys[i]
//   convert          number i                           from[i]          to[i]
//   find_longest     matrix row i; a warp finds its     start[i],        longest, by one atomic
//                    maximum by shuffles                start[i + 1]     operation of each warp
#include "gpu/base/launch.hpp"
#include "gpu/device/block_shape.hpp"
#include "gpu/device/warp.cuh"
#include "gpu/matrix/rows/device_sums.hpp"

#include <bit>
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_scan.cuh>

namespace gantry {

namespace {

/// Computes start[k], the number of the ascending `keys` that are below k, for k = 0 .. keys_end.
__global__ void starts_of_keys(const int* __restrict__ keys, std::int64_t count, int keys_end,
                               std::int64_t* __restrict__ start) {
  for (std::int64_t i = blockIdx.x * std::int64_t{blockDim.x} + threadIdx.x; i <= count;
       i += std::int64_t{gridDim.x} * blockDim.x) {
    const int before = i == 0 ? -1 : keys[i - 1], here = i == count ? keys_end : keys[i];
    for (int key = before + 1; key <= here; ++key) start[key] = i;
  }
}

/// Copies numbers to another type.
template <class From, class To>
__global__ void convert(const From* __restrict__ from, std::int64_t count, To* __restrict__ to) {
  const std::int64_t i = blockIdx.x * std::int64_t{usual_threads} + threadIdx.x;
  if (i < count) to[i] = static_cast<To>(from[i]);
}

__global__ void __launch_bounds__(usual_threads)
    find_longest(const std::int64_t* __restrict__ start, std::int64_t rows,
                 unsigned long long* __restrict__ longest) {
  const std::int64_t row = blockIdx.x * std::int64_t{usual_threads} + threadIdx.x;
  const long long length =
      device::warp_max<long long>(row < rows ? start[row + 1] - start[row] : 0);
  if (device::lane_of_warp() == 0) atomicMax(longest, static_cast<unsigned long long>(length));
}

/// Calls a CUB function twice, work(nullptr, bytes) to get the size of the memory that it needs and
/// work(memory, bytes) to run it.
template <class Work>
void with_memory(const CudaBackend& cuda, const char* doing, const Work& work) {
  std::size_t bytes = 0;
  check(work(nullptr, bytes), doing);
  DeviceBuffer<unsigned char> memory(cuda, std::max(bytes, std::size_t{1}), "building a matrix");
  check(work(memory.data(), bytes), doing);
}

template <class From, class To>
void convert_all(const CudaBackend& cuda, const DeviceBuffer<From>& from, DeviceBuffer<To>& to) {
  const DeviceScope scope(cuda.device());
  const auto count = static_cast<std::int64_t>(from.size());
  convert<<<blocks(count, usual_threads), usual_threads, 0, cuda.stream()>>>(from.data(), count,
                                                                             to.data());
  check_launch("convert");
}

}  // namespace

std::int64_t counts_to_starts(const CudaBackend& cuda, DeviceBuffer<std::int64_t>& counts) {
  const DeviceScope scope(cuda.device());
  const auto size = static_cast<std::int64_t>(counts.size());
  with_memory(cuda, "adding up counts on the GPU", [&](void* memory, std::size_t& bytes) {
    return cub::DeviceScan::ExclusiveSum(memory, bytes, counts.data(), counts.data(), size,
                                         cuda.stream());
  });
  std::int64_t total = 0;
  cuda.download_bytes(counts.data() + (size - 1), &total, sizeof total);
  return total;
}

void sort_by_key(const CudaBackend& cuda, DeviceBuffer<int>& keys,
                 DeviceBuffer<std::uint32_t>& values, int keys_end) {
  const DeviceScope scope(cuda.device());
  DeviceBuffer<int> sorted_keys(cuda, keys.size(), "sorting a matrix");
  DeviceBuffer<std::uint32_t> sorted_values(cuda, values.size(), "sorting a matrix");
  const int bits = std::bit_width(static_cast<unsigned>(std::max(keys_end - 1, 1)));
  with_memory(cuda, "sorting on the GPU", [&](void* memory, std::size_t& bytes) {
    return cub::DeviceRadixSort::SortPairs(
        memory, bytes, keys.data(), sorted_keys.data(), values.data(), sorted_values.data(),
        static_cast<std::int64_t>(keys.size()), 0, bits, cuda.stream());
  });
  std::swap(keys, sorted_keys);
  std::swap(values, sorted_values);
}

void find_starts(const CudaBackend& cuda, const DeviceBuffer<int>& keys, std::int64_t count,
                 int keys_end, DeviceBuffer<std::int64_t>& starts) {
  const DeviceScope scope(cuda.device());
  const unsigned grid = std::min(blocks(count + 1, usual_threads), 16U * cuda.multiprocessors());
  starts_of_keys<<<grid, usual_threads, 0, cuda.stream()>>>(keys.data(), count, keys_end,
                                                            starts.data());
  check_launch("starts_of_keys");
}

void convert_starts(const CudaBackend& cuda, const DeviceBuffer<std::int64_t>& from,
                    DeviceBuffer<int>& to) {
  convert_all(cuda, from, to);
}

void convert_starts(const CudaBackend& cuda, const DeviceBuffer<std::int64_t>& from,
                    DeviceBuffer<std::uint32_t>& to) {
  convert_all(cuda, from, to);
}

void convert_starts(const CudaBackend& cuda, const DeviceBuffer<int>& from,
                    DeviceBuffer<std::int64_t>& to) {
  convert_all(cuda, from, to);
}

std::int64_t longest_row(const CudaBackend& cuda, const DeviceBuffer<std::int64_t>& starts) {
  const DeviceScope scope(cuda.device());
  DeviceBuffer<unsigned long long> longest(cuda, 1);
  check(cudaMemsetAsync(longest.data(), 0, sizeof(unsigned long long), cuda.stream()),
        "building a matrix on the GPU");
  const auto rows = static_cast<std::int64_t>(starts.size()) - 1;
  find_longest<<<blocks(rows, usual_threads), usual_threads, 0, cuda.stream()>>>(
      starts.data(), rows, longest.data());
  check_launch("find_longest");
  return static_cast<std::int64_t>(longest.download().front());
}

}  // namespace gantry
