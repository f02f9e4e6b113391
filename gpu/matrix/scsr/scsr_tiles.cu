// Builds the tiles of the stored views; the kernels are in scsr_build.cuh.
#include "core/base/error.hpp"
#include "gpu/base/launch.hpp"
#include "gpu/matrix/rows/area_row_model.hpp"
#include "gpu/matrix/rows/device_sums.hpp"
#include "gpu/matrix/rows/interval_row_model.hpp"
#include "gpu/matrix/scsr/scsr_build.cuh"
#include "gpu/matrix/scsr/scsr_tiles.hpp"

#include <cmath>
#include <string>

namespace gantry {

namespace {

constexpr const char* purpose = "a symmetric matrix";

/// Returns memory for `size` counts, and a 0 behind them.
DeviceBuffer<std::int64_t> counts_of(const CudaBackend& cuda, std::int64_t size) {
  DeviceBuffer<std::int64_t> counts(cuda, static_cast<std::size_t>(size) + 1, purpose);
  check(cudaMemsetAsync(counts.data() + size, 0, sizeof(std::int64_t), cuda.stream()),
        "building a matrix on the GPU");
  return counts;
}

}  // namespace

float weight_unit(double size, bool half) {
  return half ? static_cast<float>(std::exp2(std::round(std::log2(size)))) : 1.0F;
}

template <bool Half>
TiledRows<Half>::TiledRows(const CudaBackend& cuda, const DeviceRows& rows, int views, int columns,
                           const device::TileGrid& grid)
    : cuda_(cuda),
      grid_(grid),
      views_(views),
      columns_(columns),
      unit_(weight_unit(rows.unit(), Half)) {
  const DeviceScope scope(cuda.device());
  find_segments(rows);
  fill(rows);
}

template <bool Half>
device::StoredTiles TiledRows<Half>::view() const {
  return {grid_,
          columns_,
          views_,
          first_.data(),
          first_column_.data(),
          start_.data(),
          length_.data(),
          row_start_.data(),
          segment_of_.data(),
          device::TileEntries<Half>::vector};
}

template <>
device::TileEntries<true> TiledRows<true>::entries() const {
  return {const_cast<std::uint32_t*>(words_.data())};
}
template <>
device::TileEntries<false> TiledRows<false>::entries() const {
  return {const_cast<std::uint16_t*>(places_.data()), const_cast<float*>(weights_.data())};
}

template <bool Half>
void TiledRows<Half>::find_segments(const DeviceRows& rows) {
  const std::int64_t tile_views = std::int64_t{grid_.tiles} * views_;
  first_ = counts_of(cuda_, tile_views);
  first_column_ = DeviceBuffer<int>(cuda_, static_cast<std::size_t>(tile_views), purpose);
  std::visit(
      [&](const auto& model) {
        device::
            find_segments<<<blocks(tile_views, usual_threads), usual_threads, 0, cuda_.stream()>>>(
                model, grid_, first_.data(), first_column_.data());
      },
      rows.model());
  check_launch("find_segments");
  segments_ = counts_to_starts(cuda_, first_);
  if (segments_ > std::int64_t{1} << 31U)
    throw UsageError("the matrix has more than 2^31 segments (ray x tile of the image)", "format",
                     "use fewer views");
}

template <bool Half>
void TiledRows<Half>::fill(const DeviceRows& rows) {
  const unsigned grid = blocks(std::int64_t{grid_.tiles} * views_, usual_warps);
  constexpr std::int64_t vector = device::TileEntries<Half>::vector,
                         most_vectors = std::int64_t{1} << 32U;
  const auto all = static_cast<std::size_t>(segments_);
  DeviceBuffer<std::int64_t> vectors = counts_of(cuda_, segments_);
  DeviceBuffer<unsigned long long> nonzeros(cuda_, 1, purpose);
  check(cudaMemsetAsync(nonzeros.data(), 0, sizeof(unsigned long long), cuda_.stream()),
        "building a matrix on the GPU");
  length_ = DeviceBuffer<std::uint16_t>(cuda_, all, purpose);
  segment_of_ = DeviceBuffer<std::uint32_t>(cuda_, all, purpose);
  DeviceBuffer<int> row(cuda_, all, purpose);
  std::visit(
      [&](const auto& model) {
        device::count_segments<<<grid, usual_threads, 0, cuda_.stream()>>>(
            model, view(), vectors.data(), length_.data(), nonzeros.data(), row.data(),
            segment_of_.data());
      },
      rows.model());
  check_launch("count_segments");
  entries_ = vector * counts_to_starts(cuda_, vectors);
  nonzeros_ = static_cast<std::int64_t>(nonzeros.download().front());
  if (entries_ >= vector * most_vectors)
    throw UsageError(
        "the matrix has more than " + std::to_string(vector * most_vectors) + " nonzeros", "format",
        "use fewer views");
  start_ = DeviceBuffer<std::uint32_t>(cuda_, vectors.size(), purpose);
  convert_starts(cuda_, vectors, start_);
  const auto entries = static_cast<std::size_t>(entries_);
  if constexpr (Half) {
    words_ = DeviceBuffer<std::uint32_t>(cuda_, entries, purpose);
  } else {
    places_ = DeviceBuffer<std::uint16_t>(cuda_, entries, purpose);
    weights_ = DeviceBuffer<float>(cuda_, entries, purpose);
  }
  std::visit(
      [&](const auto& model) {
        device::fill_segments<Half><<<grid, usual_threads, 0, cuda_.stream()>>>(
            model, view(), this->entries(), 1.0 / unit_);
      },
      rows.model());
  check_launch("fill_segments");
  group_by_row(std::move(row));
}

/// Lists the segments of each stored ray, ascending; `row` is the stored ray of each segment.
template <bool Half>
void TiledRows<Half>::group_by_row(DeviceBuffer<int> row) {
  const int rows = views_ * columns_;
  row_start_ = DeviceBuffer<std::int64_t>(cuda_, static_cast<std::size_t>(rows) + 1, purpose);
  if (segments_ > 0) sort_by_key(cuda_, row, segment_of_, rows);
  find_starts(cuda_, row, segments_, rows, row_start_);
}

template <bool Half>
std::int64_t TiledRows<Half>::most_segments_of_ray() const {
  return longest_row(cuda_, row_start_);
}

template <bool Half>
std::vector<MatrixPart> TiledRows<Half>::parts() const {
  const auto entries = static_cast<std::size_t>(entries_);
  return {{"weights", entries * (Half ? 2 : sizeof(float))},
          {"columns", entries * sizeof(std::uint16_t)},
          {"segments", (first_.size() + row_start_.size()) * sizeof(std::int64_t) +
                           first_column_.size() * sizeof(int) +
                           (start_.size() + segment_of_.size()) * sizeof(std::uint32_t) +
                           length_.size() * sizeof(std::uint16_t)}};
}

template class TiledRows<false>;
template class TiledRows<true>;

}  // namespace gantry
