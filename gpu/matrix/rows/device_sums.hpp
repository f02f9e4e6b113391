#pragma once

#include "gpu/base/device_buffer.hpp"

#include <cstdint>

namespace gantry {

/// Replaces counts by starts: counts[i] becomes the sum of the counts before i. The last element
/// must be 0 and becomes the sum of all counts, which is returned; the call waits for it.
std::int64_t counts_to_starts(const CudaBackend& cuda, DeviceBuffer<std::int64_t>& counts);

/// Sorts keys, 0 .. keys_end - 1, and their values by key. The sort is stable. The result is in the
/// same two buffers.
void sort_by_key(const CudaBackend& cuda, DeviceBuffer<int>& keys,
                 DeviceBuffer<std::uint32_t>& values, int keys_end);

/// Computes starts[k], the number of keys below k, for k = 0 .. keys_end; the `count` keys ascend.
void find_starts(const CudaBackend& cuda, const DeviceBuffer<int>& keys, std::int64_t count,
                 int keys_end, DeviceBuffer<std::int64_t>& starts);

/// Copies starts from 64 bits to 32 bits, or from 32 to 64.
void convert_starts(const CudaBackend& cuda, const DeviceBuffer<std::int64_t>& from,
                    DeviceBuffer<int>& to);
void convert_starts(const CudaBackend& cuda, const DeviceBuffer<std::int64_t>& from,
                    DeviceBuffer<std::uint32_t>& to);
void convert_starts(const CudaBackend& cuda, const DeviceBuffer<int>& from,
                    DeviceBuffer<std::int64_t>& to);

/// Returns the number of entries of the longest matrix row; waits for it.
std::int64_t longest_row(const CudaBackend& cuda, const DeviceBuffer<std::int64_t>& starts);

}  // namespace gantry
