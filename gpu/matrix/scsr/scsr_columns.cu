// Builds the stored transpose of scsr_columns.cuh. The kernel compare_axes has one block of 256
// threads; thread t has views t, t + 256, ...
#include "core/operator/row_norms.hpp"
#include "gpu/base/launch.hpp"
#include "gpu/matrix/rows/area_row_model.hpp"
#include "gpu/matrix/rows/device_sums.hpp"
#include "gpu/matrix/rows/interval_row_model.hpp"
#include "gpu/matrix/scsr/scsr_columns.cuh"
#include "gpu/matrix/scsr/scsr_columns.hpp"
#include "gpu/matrix/scsr/scsr_tiles.hpp"

#include <algorithm>
#include <iterator>

namespace gantry {

namespace {

constexpr const char* purpose = "the transpose of a symmetric matrix";

/// Computes how many more detector columns see 16 pixels along y than 16 pixels along x, in the
/// middle of the image, summed over all views.
__global__ void __launch_bounds__(usual_threads)
    compare_axes(device::RowScan scan, int* __restrict__ more_along_y) {
  constexpr int far = 15;
  const int x = scan.nx / 2, y = scan.ny / 2;
  for (int v = threadIdx.x; v < scan.views; v += usual_threads) {
    const device::ColumnRange up = scan.seen_by(v, x, x, y, y + far),
                              right = scan.seen_by(v, x, x + far, y, y);
    atomicAdd(more_along_y, up.last - up.first - (right.last - right.first));
  }
}

/// Returns whether most rays run along y rather than x: two neighbouring pixels in this direction
/// are seen by about the same rays.
bool rays_run_along_y(const CudaBackend& cuda, const DeviceRows& rows) {
  const DeviceScope scope(cuda.device());
  DeviceBuffer<int> more_along_y(cuda, 1, purpose);
  check(cudaMemsetAsync(more_along_y.data(), 0, sizeof(int), cuda.stream()),
        "building a matrix on the GPU");
  compare_axes<<<1, usual_threads, 0, cuda.stream()>>>(rows.scan(), more_along_y.data());
  check_launch("compare_axes");
  return more_along_y.download().front() <= 0;
}

/// Estimates the groups of all chunks from 6 x 6 chunks at most, of which every pixel is projected
/// into all stored views.
double estimated_groups(const Projector& weights, const std::vector<int>& stored_views,
                        bool along_y) {
  constexpr int most = 6;
  const device::ColumnChunks chunks =
      device::ColumnChunks::of(weights.grid().nx, weights.grid().ny, along_y);
  const int down = chunks.count / chunks.across, some_across = std::min(most, chunks.across),
            some_down = std::min(most, down);
  const auto middle = [](int i, int of, int count) { return (2 * i + 1) * count / (2 * of); };
  std::vector<std::size_t> entries(static_cast<std::size_t>(some_across * some_down) * 32, 0);
  CellWeights first, second;
  std::vector<std::size_t> both;
  for (const int v : stored_views) {
    const auto view = require_row_source(weights).view_rows(v);
    const auto cells_of = [&](int x, int y, CellWeights& cells) {
      cells.clear();
      if (chunks.has(x, y)) view->voxel_weights(x, y, 0, cells);
      std::ranges::sort(cells.cell);
    };
    for (std::size_t i = 0; i < entries.size(); ++i) {
      const int number = static_cast<int>(i / 32),
                chunk = middle(number / some_across, some_down, down) * chunks.across +
                        middle(number % some_across, some_across, chunks.across);
      const device::PixelPair pair = chunks.pair(chunk, static_cast<int>(i % 32));
      cells_of(pair.x, pair.y, first);
      cells_of(pair.next_x, pair.next_y, second);
      both.clear();
      std::ranges::set_union(first.cell, second.cell, std::back_inserter(both));
      entries[i] += both.size();
    }
  }
  double groups = 0;
  for (std::size_t begin = 0; begin < entries.size(); begin += 32)
    groups += static_cast<double>(
        (*std::max_element(entries.begin() + static_cast<std::ptrdiff_t>(begin),
                           entries.begin() + static_cast<std::ptrdiff_t>(begin) + 32) +
         3) /
        4);
  return groups * chunks.count / (some_across * some_down);
}

}  // namespace

template <bool Half>
device::ColumnChunks SlicedColumns<Half>::chunks() const {
  return device::ColumnChunks::of(nx_, ny_, along_y_);
}

template <bool Half>
device::ColumnEntries<Half> SlicedColumns<Half>::entries() const {
  return {const_cast<ushort4*>(steps_.data()), const_cast<Weights*>(weights_.data())};
}

template <bool Half>
SlicedColumns<Half>::SlicedColumns(const CudaBackend& cuda, const DeviceRows& rows, int nx, int ny)
    : cuda_(cuda), nx_(nx), ny_(ny), along_y_(rays_run_along_y(cuda, rows)) {
  const DeviceScope scope(cuda.device());
  const device::ColumnChunks chunks = this->chunks();
  const unsigned grid = blocks(chunks.count, usual_warps);
  start_ = DeviceBuffer<std::int64_t>(cuda, static_cast<std::size_t>(chunks.count) + 1, purpose);
  DeviceBuffer<unsigned long long> nonzeros(cuda, 1, purpose);
  check(cudaMemsetAsync(start_.data(), 0, start_.size() * sizeof(std::int64_t), cuda.stream()),
        "building a matrix on the GPU");
  check(cudaMemsetAsync(nonzeros.data(), 0, sizeof(unsigned long long), cuda.stream()),
        "building a matrix on the GPU");
  std::visit(
      [&](const auto& model) {
        device::count_chunks<<<grid, usual_threads, 0, cuda.stream()>>>(
            model, chunks, start_.data(), nonzeros.data());
      },
      rows.model());
  check_launch("count_chunks");
  groups_ = counts_to_starts(cuda, start_);
  nonzeros_ = static_cast<std::int64_t>(nonzeros.download().front());
  const auto lanes = static_cast<std::size_t>(32 * groups_);
  steps_ = DeviceBuffer<ushort4>(cuda, lanes, purpose);
  weights_ = DeviceBuffer<Weights>(cuda, (Half ? 1 : 2) * lanes, purpose);
  const double per_unit = 1.0 / weight_unit(rows.unit(), Half);
  std::visit(
      [&](const auto& model) {
        device::fill_chunks<Half><<<grid, usual_threads, 0, cuda.stream()>>>(
            model, chunks, start_.data(), entries(), per_unit);
      },
      rows.model());
  check_launch("fill_chunks");
}

template <bool Half>
std::vector<MatrixPart> SlicedColumns<Half>::parts() const {
  return {{"transposed weights", weights_.size() * sizeof(Weights), PartOf::transpose},
          {"transposed rows", steps_.size() * sizeof(ushort4), PartOf::transpose},
          {"starts of chunks of the transpose", start_.size() * sizeof(std::int64_t),
           PartOf::transpose}};
}

template <bool Half>
double SlicedColumns<Half>::bytes(const Projector& weights, const std::vector<int>& stored_views) {
  // The direction of the pairs is that of most rays, along which pairs have fewer entries.
  const VolumeGrid& grid = weights.grid();
  const double groups = std::min(estimated_groups(weights, stored_views, true),
                                 estimated_groups(weights, stored_views, false));
  return 32 * groups * (sizeof(ushort4) + (Half ? 1 : 2) * sizeof(Weights)) +
         sizeof(std::int64_t) * (1.0 + device::ColumnChunks::of(grid.nx, grid.ny, true).count);
}

template class SlicedColumns<false>;
template class SlicedColumns<true>;

}  // namespace gantry
