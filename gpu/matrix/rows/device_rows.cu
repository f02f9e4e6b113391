#include "core/base/error.hpp"
#include "core/matrix/rows/view_csr.hpp"
#include "core/operator/row_norms.hpp"
#include "core/operator/row_source.hpp"
#include "core/operator/slice_stack.hpp"
#include "gpu/base/launch.hpp"
#include "gpu/matrix/rows/device_rows.hpp"
#include "gpu/matrix/rows/device_sums.hpp"
#include "gpu/matrix/rows/matrix_rows.cuh"
#include "gpu/matrix/rows/row_tables.hpp"

#include <limits>

namespace gantry {

namespace {

constexpr const char* purpose = "a stored matrix";

/// Returns a copy of a matrix: callers of rows() and columns() get a matrix of their own.
DeviceCsr copy_of(const CudaBackend& cuda, const DeviceCsr& from) {
  const auto copy = [&](const auto& buffer) {
    auto to = std::remove_cvref_t<decltype(buffer)>(cuda, buffer.size(), purpose);
    if (!buffer.empty())
      check(cudaMemcpyAsync(to.data(), buffer.data(), buffer.size() * sizeof(*buffer.data()),
                            cudaMemcpyDeviceToDevice, cuda.stream()),
            "building a matrix on the GPU");
    return to;
  };
  return {from.rows, from.columns, copy(from.start), copy(from.index), copy(from.weight)};
}

unsigned entry_blocks(const CudaBackend& cuda) {
  return static_cast<unsigned>(8 * cuda.multiprocessors());
}

}  // namespace

DeviceCsr make_device_csr(const CudaBackend& cuda, std::int64_t rows, std::int64_t columns,
                          DeviceBuffer<std::int64_t> counts) {
  const auto nonzeros = static_cast<std::size_t>(counts_to_starts(cuda, counts));
  return {rows, columns, std::move(counts), DeviceBuffer<int>(cuda, nonzeros, purpose),
          DeviceBuffer<float>(cuda, nonzeros, purpose)};
}

DeviceCsr transposed(const CudaBackend& cuda, const DeviceCsr& matrix) {
  if (matrix.nonzeros() > std::int64_t{std::numeric_limits<std::uint32_t>::max()})
    throw UsageError("a matrix with 2^32 nonzeros or more cannot be transposed on the GPU",
                     "format", "use fewer views, or another projector");
  const DeviceScope scope(cuda.device());
  const std::int64_t count = matrix.nonzeros();
  DeviceCsr out{
      matrix.columns, matrix.rows,
      DeviceBuffer<std::int64_t>(cuda, static_cast<std::size_t>(matrix.columns) + 1, purpose),
      DeviceBuffer<int>(cuda, matrix.index.size(), purpose),
      DeviceBuffer<float>(cuda, matrix.index.size(), purpose)};
  DeviceBuffer<int> keys(cuda, matrix.index.size(), purpose);
  DeviceBuffer<std::uint32_t> entry(cuda, matrix.index.size(), purpose);
  const unsigned grid = entry_blocks(cuda);
  if (count > 0) {
    check(cudaMemcpyAsync(keys.data(), matrix.index.data(), keys.size() * sizeof(int),
                          cudaMemcpyDeviceToDevice, cuda.stream()),
          "building a matrix on the GPU");
    device::number_entries<<<grid, usual_threads, 0, cuda.stream()>>>(entry.data(), count);
    check_launch("number_entries");
    sort_by_key(cuda, keys, entry, static_cast<int>(matrix.columns));
    device::transpose_entries<<<grid, usual_threads, 0, cuda.stream()>>>(
        matrix.view(), matrix.rows, entry.data(), count, out.index.data(), out.weight.data());
    check_launch("transpose_entries");
  }
  find_starts(cuda, keys, count, static_cast<int>(matrix.columns), out.start);
  return out;
}

/// The arrays in device memory that the model points at.
struct DeviceRows::Tables {
  DeviceBuffer<device::SeenFrom> seen;
  DeviceBuffer<AreaEdge> edges;
  DeviceBuffer<AreaStrip> strips;
  DeviceBuffer<double> sources;
  DeviceBuffer<device::RowLine> lines;
  DeviceBuffer<device::RowPath> paths;
  DeviceCsr rows, columns;

  template <class T>
  static DeviceBuffer<T> put(const CudaBackend& cuda, const std::vector<T>& values) {
    return {cuda, std::span<const T>(values), purpose};
  }

  device::AreaRows area(const CudaBackend& cuda, const Projector& A, std::span<const int> views,
                        AreaWeights weights) {
    AreaRowTables tables(A.geometry(), A.grid(), views, weights);
    seen = put(cuda, tables.seen);
    edges = put(cuda, tables.edges);
    strips = put(cuda, tables.strips);
    sources = put(cuda, tables.sources);
    tables.model.scan.seen = seen.data();
    tables.model.edge = edges.data();
    tables.model.strip = strips.data();
    tables.model.source = sources.data();
    return tables.model;
  }

  device::IntervalRows interval(const CudaBackend& cuda, const Projector& A,
                                std::span<const int> views, RowDefinition definition) {
    IntervalRowTables tables(A.geometry(), A.grid(), views, definition);
    seen = put(cuda, tables.seen);
    lines = put(cuda, tables.lines);
    paths = put(cuda, tables.paths);
    tables.model.scan.seen = seen.data();
    tables.model.line = lines.data();
    tables.model.path = paths.data();
    return tables.model;
  }

  device::StoredRows stored(const CudaBackend& cuda, const Projector& A,
                            const std::vector<int>& views) {
    // Interpolating projectors weigh pixels up to one beyond those that the cell sees.
    constexpr int spare = 2;
    rows = stored_rows(cuda, A, views, A.geometry().rows());
    columns = transposed(cuda, rows);
    std::vector<device::SeenFrom> from;
    device::StoredRows model{describe_rows(A.geometry(), A.grid(), views, spare, from), rows.view(),
                             columns.view()};
    seen = put(cuda, from);
    model.scan.seen = seen.data();
    return model;
  }
};

DeviceRows::DeviceRows(const CudaBackend& cuda, const Projector& A, std::vector<int> views)
    : cuda_(cuda),
      rows_(static_cast<std::int64_t>(views.size() * A.cells_per_view())),
      voxels_(static_cast<std::int64_t>(A.domain_size())),
      unit_(std::sqrt(A.grid().spacing_mm.x * A.grid().spacing_mm.x +
                      A.grid().spacing_mm.y * A.grid().spacing_mm.y)),
      tables_(std::make_unique<Tables>()) {
  constexpr std::int64_t most = std::numeric_limits<int>::max();
  require_row_source(A);
  if (voxels_ > most || rows_ > most)
    throw UsageError("a stored matrix has at most 2^31 rows and columns", "format",
                     "compute the weights on the fly");
  const DeviceScope scope(cuda.device());
  const RowDefinition definition =
      is_planar(A.geometry(), A.grid()) ? definition_of(*A.row_source()) : RowDefinition::other;
  if (definition == RowDefinition::area) unit_ = 1;
  if (definition == RowDefinition::area || definition == RowDefinition::area_length)
    model_ =
        tables_->area(cuda, A, views,
                      definition == RowDefinition::area ? AreaWeights::area : AreaWeights::length);
  else if (definition != RowDefinition::other)
    model_ = tables_->interval(cuda, A, views, definition);
  else
    model_ = tables_->stored(cuda, A, views);
}

DeviceRows::~DeviceRows() = default;

namespace {

/// Builds a matrix from a model that computes its rows: count(model, counts) launches the kernel
/// that counts the nonzeros of each matrix row, fill(model, matrix) the one that writes them.
/// StoredRows are not computed; for them the result is empty.
template <class Count, class Fill>
DeviceCsr count_and_fill(const CudaBackend& cuda, std::int64_t rows, std::int64_t columns,
                         const RowModel& rows_model, const Count& count, const Fill& fill) {
  const DeviceScope scope(cuda.device());
  DeviceBuffer<std::int64_t> counts(cuda, static_cast<std::size_t>(rows) + 1, purpose);
  check(cudaMemsetAsync(counts.data() + rows, 0, sizeof(std::int64_t), cuda.stream()),
        "building a matrix on the GPU");
  return std::visit(
      [&](const auto& model) -> DeviceCsr {
        if constexpr (!std::is_same_v<std::remove_cvref_t<decltype(model)>, device::StoredRows>) {
          count(model, counts.data());
          check_launch("counting a matrix's nonzeros");
          DeviceCsr out = make_device_csr(cuda, rows, columns, std::move(counts));
          fill(model, out);
          check_launch("filling a matrix");
          return out;
        }
        return {};
      },
      rows_model);
}

}  // namespace

DeviceCsr DeviceRows::rows() const {
  if (std::holds_alternative<device::StoredRows>(model_)) return copy_of(cuda_, tables_->rows);
  const unsigned grid = blocks(rows_, usual_warps);
  return count_and_fill(
      cuda_, rows_, voxels_, model_,
      [&](const auto& model, std::int64_t* counts) {
        device::count_rows<<<grid, usual_threads, 0, cuda_.stream()>>>(model, counts);
      },
      [&](const auto& model, DeviceCsr& out) {
        device::fill_rows<<<grid, usual_threads, 0, cuda_.stream()>>>(
            model, out.start.data(), out.index.data(), out.weight.data());
      });
}

DeviceCsr DeviceRows::columns() const {
  if (std::holds_alternative<device::StoredRows>(model_)) return copy_of(cuda_, tables_->columns);
  const unsigned grid = blocks(voxels_, usual_threads);
  return count_and_fill(
      cuda_, voxels_, rows_, model_,
      [&](const auto& model, std::int64_t* counts) {
        device::count_columns<<<grid, usual_threads, 0, cuda_.stream()>>>(model, counts);
      },
      [&](const auto& model, DeviceCsr& out) {
        device::fill_columns<<<grid, usual_threads, 0, cuda_.stream()>>>(
            model, out.start.data(), out.index.data(), out.weight.data());
      });
}

RowsBothWays slice_both_ways(const CudaBackend& cuda, const Projector& stack) {
  const auto slice = slice_of_stack(stack);
  stack.check_interrupt();
  const DeviceRows weights(cuda, *slice, every_view(*slice));
  DeviceCsr rows = weights.rows();
  stack.check_interrupt();
  return {std::move(rows), weights.columns()};
}

}  // namespace gantry
