#include "gpu/matrix/device_sums.hpp"

#include <bit>
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_scan.cuh>

namespace gantry {

namespace {

/// Calls work(memory, bytes) as CUB wants it: first to learn how much memory it needs.
template <class Work>
void with_memory(const CudaBackend& cuda, const char* doing, const Work& work) {
  std::size_t bytes = 0;
  check(work(nullptr, bytes), doing);
  DeviceBuffer<unsigned char> memory(cuda, std::max(bytes, std::size_t{1}), "building a matrix");
  check(work(memory.data(), bytes), doing);
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

}  // namespace gantry
