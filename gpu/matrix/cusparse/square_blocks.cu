#include "gpu/base/launch.hpp"
#include "gpu/matrix/cusparse/square_blocks.cuh"
#include "gpu/matrix/cusparse/square_blocks.hpp"

#include <algorithm>

namespace gantry {

namespace {
constexpr const char* purpose = "a stored matrix";
constexpr const char* building = "building a matrix on the GPU";
}  // namespace

SquareBlocks::SquareBlocks(const CudaBackend& cuda, const DeviceCsr& from, const int* row_at,
                           std::int64_t row_places, const DeviceBuffer<int>& column_place,
                           std::int64_t column_places, int of_side, float unit)
    : rows(row_places), columns(column_places), side(of_side) {
  const DeviceScope scope(cuda.device());
  const device::SquareSource source{
      from.view(), row_at, column_place.data(), side, static_cast<int>(columns / side), 1 / unit};
  const auto lines = static_cast<unsigned>(rows / side);
  DeviceBuffer<unsigned long long> found(cuda, 2, purpose);
  check(cudaMemsetAsync(found.data(), 0, 2 * sizeof(unsigned long long), cuda.stream()), building);
  device::count_squares<<<lines, device::square_threads, 0, cuda.stream()>>>(source, found.data());
  check_launch("count_squares");
  const auto sum_and_most = found.download();
  blocks = sum_and_most[0];
  slots = std::max(1, static_cast<int>(sum_and_most[1]));

  column = DeviceBuffer<int>(cuda, std::size_t{lines} * static_cast<std::size_t>(slots), purpose);
  weight = DeviceBuffer<__half>(
      cuda, static_cast<std::size_t>(rows) * static_cast<std::size_t>(width()), purpose);
  check(cudaMemsetAsync(column.data(), 0xFF, column.size() * sizeof(int), cuda.stream()), building);
  check(cudaMemsetAsync(weight.data(), 0, weight.size() * sizeof(__half), cuda.stream()), building);
  device::fill_squares<<<lines, device::square_threads, 0, cuda.stream()>>>(
      source, slots, column.data(), weight.data());
  check_launch("fill_squares");
}

}  // namespace gantry
