#pragma once

#include "gpu/matrix/rows/device_csr.hpp"

namespace gantry {

/// Returns a matrix in another order: its matrix row p is row row_at[p] of `matrix`, p < rows, or
/// empty where that is -1, and entries of column j have the index column_position[j], below
/// `columns`. `row_at` lies in device memory. Throws OutOfMemory.
DeviceCsr permuted(const CudaBackend& cuda, const DeviceCsr& matrix, const int* row_at,
                   std::int64_t rows, const DeviceBuffer<int>& column_position,
                   std::int64_t columns);

}  // namespace gantry
