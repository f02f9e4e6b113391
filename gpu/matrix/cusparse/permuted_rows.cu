#include "gpu/base/launch.hpp"
#include "gpu/device/block_shape.hpp"
#include "gpu/device/warp.cuh"
#include "gpu/matrix/cusparse/permuted_rows.hpp"

namespace gantry {

namespace {

// counts[p] = number of entries of row row_at[p], 0 for none and behind the last; a thread per
// position, blocks of 256.
__global__ void count_entries(const std::int64_t* __restrict__ start,
                              const int* __restrict__ row_at, std::int64_t rows,
                              std::int64_t* __restrict__ counts) {
  const std::int64_t p = blockIdx.x * std::int64_t{blockDim.x} + threadIdx.x;
  if (p > rows) return;
  const int row = p < rows ? row_at[p] : -1;
  counts[p] = row < 0 ? 0 : start[row + 1] - start[row];
}

// Copies the entries of each row; a warp per position, 8 positions in a block, lanes take entries
// l, l + 32, ... of the row.
__global__ void __launch_bounds__(usual_threads)
    copy_entries(device::SparseRows from, const int* __restrict__ row_at, std::int64_t rows,
                 const int* __restrict__ column_position, const std::int64_t* __restrict__ start,
                 int* __restrict__ index, float* __restrict__ weight) {
  const std::int64_t p = blockIdx.x * std::int64_t{usual_warps} + threadIdx.x / 32;
  const int row = p < rows ? row_at[p] : -1;
  if (row < 0) return;
  const std::int64_t first = from.start[row], count = from.start[row + 1] - first;
  for (std::int64_t e = device::lane_of_warp(); e < count; e += 32) {
    index[start[p] + e] = column_position[from.index[first + e]];
    weight[start[p] + e] = from.weight[first + e];
  }
}

}  // namespace

DeviceCsr permuted(const CudaBackend& cuda, const DeviceCsr& matrix, const int* row_at,
                   std::int64_t rows, const DeviceBuffer<int>& column_position,
                   std::int64_t columns) {
  const DeviceScope scope(cuda.device());
  DeviceBuffer<std::int64_t> counts(cuda, static_cast<std::size_t>(rows) + 1, "a stored matrix");
  count_entries<<<blocks(rows + 1, usual_threads), usual_threads, 0, cuda.stream()>>>(
      matrix.start.data(), row_at, rows, counts.data());
  check_launch("count_entries");
  DeviceCsr made = make_device_csr(cuda, rows, columns, std::move(counts));
  copy_entries<<<blocks(rows, usual_warps), usual_threads, 0, cuda.stream()>>>(
      matrix.view(), row_at, rows, column_position.data(), made.start.data(), made.index.data(),
      made.weight.data());
  check_launch("copy_entries");
  return made;
}

}  // namespace gantry
