#pragma once

#include "gpu/base/device_buffer.hpp"

#include <cstdint>

namespace gantry {

/// Counts [count] and a 0 behind them become places: [i] = sum of those before i. Returns the last,
/// the sum of all; waits for it.
std::int64_t counts_to_starts(const CudaBackend& cuda, DeviceBuffer<std::int64_t>& counts);

/// Sorts by key, 0 .. keys_end - 1; what has the same key keeps its order. Both buffers hold the
/// result.
void sort_by_key(const CudaBackend& cuda, DeviceBuffer<int>& keys,
                 DeviceBuffer<std::uint32_t>& values, int keys_end);

/// starts[k] = how many of `count` ascending keys lie below k, for k = 0 .. keys_end.
void find_starts(const CudaBackend& cuda, const DeviceBuffer<int>& keys, std::int64_t count,
                 int keys_end, DeviceBuffer<std::int64_t>& starts);

/// The same numbers in 32 bits, or in 64.
void convert_starts(const CudaBackend& cuda, const DeviceBuffer<std::int64_t>& from,
                    DeviceBuffer<int>& to);
void convert_starts(const CudaBackend& cuda, const DeviceBuffer<std::int64_t>& from,
                    DeviceBuffer<std::uint32_t>& to);
void convert_starts(const CudaBackend& cuda, const DeviceBuffer<int>& from,
                    DeviceBuffer<std::int64_t>& to);

/// The most entries of a row; waits for it.
std::int64_t longest_row(const CudaBackend& cuda, const DeviceBuffer<std::int64_t>& starts);

}  // namespace gantry
