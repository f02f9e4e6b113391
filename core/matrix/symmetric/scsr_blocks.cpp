#include "core/matrix/symmetric/scsr_blocks.hpp"

#include "core/backend/cpu_backend.hpp"
#include "core/base/error.hpp"
#include "core/base/parallel_errors.hpp"
#include "core/matrix/symmetric/column_permutation.hpp"
#include "core/matrix/symmetric/scsr_kernels.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

namespace gantry {

namespace {

ScsrRows rows_of(const ViewCsr& view) {
  ScsrRows rows;
  rows.weight = view.weight.data();
  rows.column = view.column.data();
  rows.start = view.row_start.data();
  rows.rows = view.row_start.size() - 1;
  return rows;
}

/// `rows`: matrix rows of every column_stride-th cell of the views.
std::unique_ptr<ScsrBlocks> lay_out(const std::vector<ViewCsr>& rows, const std::vector<int>& views,
                                    int column_stride, const Projector& weights,
                                    const std::string& blocking,
                                    const CheckInterrupt& check_interrupt) {
  if (blocking == "global")
    return make_scsr_global_blocks(rows, weights.domain_size(), check_interrupt);
  std::vector<ProfileRamps> ramps;
  for (const int view : views) {
    const ProfileRamps all = profile_ramps(weights.geometry(), weights.grid(), view);
    const auto stride = static_cast<std::size_t>(column_stride);
    ramps.push_back({all.left / stride, all.right / stride});
  }
  return make_scsr_view_blocks(rows, weights.domain_size(), ramps, check_interrupt);
}

}  // namespace

void DenseBlock::put(std::size_t row, std::size_t j, const ViewCsr& from, std::size_t k,
                     std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    weight_[(j + i) * rows_ + row] = from.weight[k + i];
    column_[(j + i) * rows_ + row] = from.column[k + i];
  }
}

void DenseBlock::reorder(std::size_t row, std::size_t j, std::span<const std::uint32_t> order) {
  const auto move = [&](auto& values) {
    std::vector<std::remove_reference_t<decltype(values[0])>> piece(order.size());
    for (std::size_t i = 0; i < order.size(); ++i) piece[i] = values[(j + order[i]) * rows_ + row];
    for (std::size_t i = 0; i < order.size(); ++i) values[(j + i) * rows_ + row] = piece[i];
  };
  move(weight_);
  move(column_);
}

void DenseBlock::append(std::size_t row, std::size_t j, std::size_t count, ViewCsr& to) const {
  for (std::size_t i = j; i < j + count; ++i) {
    to.weight.push_back(weight_[i * rows_ + row]);
    to.column.push_back(column_[i * rows_ + row]);
  }
}

ScsrBlocks::ScsrBlocks(const std::vector<ViewCsr>& views, std::size_t voxels) : voxels_(voxels) {
  for (const ViewCsr& view : views) nonzeros_.push_back(view.nonzeros());
}

void ScsrBlocks::permute(ColumnOrder order, const CheckInterrupt& check_interrupt) {
  const std::vector<DensePieces> all = pieces();
  const std::vector<DenseBlock*> blocks = sub_matrices();
  for (std::size_t i = 0; i < all.size(); ++i)
    permute_columns(*blocks[i], all[i].pieces, order, check_interrupt);
}

std::uint64_t ScsrBlocks::all_nonzeros() const {
  return std::accumulate(nonzeros_.begin(), nonzeros_.end(), std::uint64_t{0});
}

void ScsrBlocks::multiply(std::span<const int> views, int vectors, const float* x,
                          const UseSums& use, const LinearOperator& interruptible) const {
  ParallelErrors errors;
#pragma omp parallel for schedule(dynamic)
  for (std::size_t i = 0; i < views.size(); ++i)
    errors.run([&] {
      if (interruptible.interrupted()) return;
      const ViewCsr rows = decode(static_cast<std::size_t>(views[i]));
      std::vector<double> sums((rows.row_start.size() - 1) * static_cast<std::size_t>(vectors));
      scsr_kernels().multiply(rows_of(rows), vectors, x, sums.data());
      use(i, sums.data());
    });
  errors.rethrow();
}

/// Each thread takes some of the vectors and goes through all matrix rows, so that the
/// contributions to a voxel are added in the order of the rows.
void ScsrBlocks::multiply_transposed(std::span<const int> views, int vectors, const float* y,
                                     float* x, const LinearOperator& interruptible) const {
  const int parts = std::min(
      vectors, static_cast<int>(std::bit_floor(static_cast<unsigned>(std::max(1, cpu_threads())))));
  const auto n = static_cast<std::size_t>(vectors), some = n / static_cast<std::size_t>(parts);
  ParallelErrors errors;
#pragma omp parallel for schedule(static)
  for (int part = 0; part < parts; ++part)
    errors.run([&] {
      const std::size_t first = static_cast<std::size_t>(part) * some;
      std::vector<double> sums(voxels_ * some);
      std::vector<float> values;
      const float* from = y + first;
      for (const int view : views) {
        if (interruptible.interrupted()) break;
        const ViewCsr rows = decode(static_cast<std::size_t>(view));
        const std::size_t cells = rows.row_start.size() - 1;
        values.resize(cells * some);
        for (std::size_t cell = 0; cell < cells; ++cell, from += n)
          std::copy_n(from, some, values.data() + cell * some);
        scsr_kernels().scatter(rows_of(rows), static_cast<int>(some), values.data(), sums.data());
      }
      for (std::size_t j = 0; j < voxels_; ++j)
        for (std::size_t k = 0; k < some; ++k)
          x[j * n + first + k] = static_cast<float>(sums[j * some + k]);
    });
  errors.rethrow();
}

std::vector<ViewCsr> stored_rows(const Projector& weights, const std::vector<int>& stored_views) {
  std::vector<ViewCsr> views(stored_views.size());
  for_each_view_csr(weights, stored_views,
                    [&](std::size_t i, ViewCsr rows) { views[i] = std::move(rows); });
  return views;
}

std::unique_ptr<const ScsrBlocks> make_scsr_blocks(const Projector& weights,
                                                   const std::vector<int>& stored_views,
                                                   const std::string& blocking, ColumnOrder order) {
  const std::vector<ViewCsr> rows = stored_rows(weights, stored_views);
  const CheckInterrupt check_interrupt = [&] { weights.check_interrupt(); };
  auto blocks = lay_out(rows, stored_views, 1, weights, blocking, check_interrupt);
  blocks->permute(order, check_interrupt);
  return blocks;
}

double scsr_blocks_bytes(const ScsrSample& sample, const Projector& weights,
                         const std::string& blocking) {
  MatrixStorage storage;
  lay_out(sample.views, sample.numbers, sample.column_stride, weights, blocking, [] {
  })->describe(storage);
  return sample.scale * static_cast<double>(storage.bytes());
}

void require_scsr_blocking(const Projector& weights, const std::string& blocking) {
  if (blocking != "view" || weights.geometry().rows() == 1) return;
  throw UsageError(
      "SCSR's view-level blocking follows the profile of a single detector row; this "
      "detector has " +
          std::to_string(weights.geometry().rows()),
      "format.blocking", "use global or none");
}

}  // namespace gantry
