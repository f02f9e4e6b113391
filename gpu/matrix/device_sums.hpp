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

}  // namespace gantry
