#pragma once

#include "core/matrix/matrix_format.hpp"
#include "core/matrix/rows/view_csr.hpp"
#include "gpu/matrix/cuda_format.hpp"
#include "gpu/matrix/rows/build_memory.hpp"
#include "gpu/matrix/rows/device_rows.hpp"
#include "gpu/matrix/rows/device_sums.hpp"
#include "gpu/matrix/rows/row_selection.hpp"
#include "gpu/matrix/sweeps/view_sweep.hpp"

#include <algorithm>
#include <memory>
#include <utility>

namespace gantry {

/// A product with the matrix rows of a layout: the rows to compute, and the elements of the operand
/// to read.
struct RowProduct {
  device::ViewRange rows;
  device::ViewRange operand;
  bool filtered;  ///< whether elements outside of `operand` count as 0
  const float* in;
  float* out;
};

/// Calls launch(operand) with an Operand<true> if the product is filtered, else Operand<false>.
template <class Launch>
void with_operand(const RowProduct& product, const Launch& launch) {
  if (product.filtered)
    launch(device::Operand<true>{product.in, product.operand});
  else
    launch(device::Operand<false>{product.in, product.operand});
}

/// The options of a layout that has none.
struct NoOptions {};

/// Whether a layout keeps the CSR matrix from which it is made, as Layout::keeps_csr says.
template <class Layout>
inline constexpr bool keeps_csr = requires {
  requires Layout::keeps_csr;
};

template <class Layout>
concept HasLines = requires(const Layout& layout) {
  layout.lines();
};

/// `type` is the sweep over a matrix and its transpose in these layouts; an empty struct if one of
/// the layouts has no lines().
template <class RowLayout, class ColumnLayout>
struct SweepOf {
  struct type {};
};
template <HasLines RowLayout, HasLines ColumnLayout>
struct SweepOf<RowLayout, ColumnLayout> {
  using type = ViewSweep<decltype(std::declval<const RowLayout&>().lines()),
                         decltype(std::declval<const ColumnLayout&>().lines())>;
};

/// W and its stored transpose, so that both products sum along matrix rows. A layout stores one of
/// them. It is constructed from (cuda, DeviceCsr, rows in a group, options), where a group is a
/// view of W or a voxel line along x of the transpose, and has multiply(RowProduct), parts() and
/// padding(). Layouts that support recorded sweeps also have lines() (sweep_model.hpp) and
/// places(rows in a group), the number of a group's lines with padding.
template <class RowLayout, class Options, class ColumnLayout = RowLayout>
class GatheredMatrix final : public Matrix {
 public:
  GatheredMatrix(const CudaBackend& cuda, const Projector& weights, const Options& options)
      : GatheredMatrix(cuda, weights, DeviceRows(cuda, weights, every_view(weights)), options) {}

  void multiply(const Array& x, Array& y, ViewSubset subset,
                const LinearOperator& interruptible) const override {
    interruptible.check_interrupt();
    const DeviceScope scope(cuda_.device());
    rows_.multiply({range(subset), {}, false, x.data(), y.data()});
  }
  void multiply_transposed(const Array& y, Array& x, ViewSubset subset,
                           const LinearOperator& interruptible) const override {
    interruptible.check_interrupt();
    const DeviceScope scope(cuda_.device());
    columns_.multiply({{0, 1, lines_, voxels_ / lines_},
                       range(subset),
                       !(subset == ViewSubset::all(views_)),
                       y.data(),
                       x.data()});
  }
  std::unique_ptr<MatrixSweep> make_sweep(const SubsetUpdate& update,
                                          const LinearOperator& interruptible) const override {
    if constexpr (has_lines) {
      const DeviceScope scope(cuda_.device());
      if (sweeps())
        return std::make_unique<Sweep>(cuda_, views_, cells_, rows_.lines(), rows_.places(cells_),
                                       columns_.lines(), voxel_places(), update, interruptible);
    }
    return nullptr;
  }
  int subsets_at_once(int) const override { return sweeps() ? views_ : 1; }
  MatrixStorage storage() const override {
    MatrixStorage all{nonzeros_, nonzeros_, rows_.padding() + columns_.padding(), rows_.parts(), 0};
    for (MatrixPart part : columns_.parts()) {
      part.name = "transposed " + part.name;
      if (part.of == PartOf::matrix) part.of = PartOf::transpose;
      all.parts.push_back(std::move(part));
    }
    if constexpr (has_lines)
      if (sweeps())
        all.parts.push_back(
            {"index of views per voxel", Sweep::bytes(views_, voxel_places()), PartOf::workspace});
    return all;
  }

 private:
  static constexpr bool has_lines = HasLines<RowLayout> && HasLines<ColumnLayout>;
  using Sweep = typename SweepOf<RowLayout, ColumnLayout>::type;
  std::int64_t voxel_places() const {
    return std::int64_t{lines_} * columns_.places(voxels_ / lines_);
  }
  bool sweeps() const { return has_lines && longest_column_ <= device::longest_swept_column; }

  GatheredMatrix(const CudaBackend& cuda, const Projector& weights, const DeviceRows& rows,
                 const Options& options)
      : cuda_(cuda),
        views_(weights.views()),
        cells_(static_cast<int>(weights.cells_per_view())),
        lines_(weights.grid().ny * weights.grid().nz),
        voxels_(static_cast<int>(weights.domain_size())),
        rows_(cuda, counted(rows.rows(), weights), cells_, options),
        columns_(cuda, measured(rows.columns()), voxels_ / lines_, options) {}

  DeviceCsr counted(DeviceCsr matrix, const Projector& weights) {
    weights.check_interrupt();
    nonzeros_ = static_cast<std::uint64_t>(matrix.nonzeros());
    return matrix;
  }
  DeviceCsr measured(DeviceCsr matrix) {
    longest_column_ = longest_row(cuda_, matrix.start);
    return matrix;
  }
  device::ViewRange range(ViewSubset subset) const {
    return {subset.first, subset.stride, subset.count, cells_};
  }

  const CudaBackend& cuda_;
  int views_, cells_, lines_, voxels_;
  std::uint64_t nonzeros_ = 0;
  std::int64_t longest_column_ = 0;
  RowLayout rows_;
  ColumnLayout columns_;
};

/// The base class of formats that build a GatheredMatrix; subclasses add estimate_bytes().
template <class RowLayout, class Options = NoOptions, class ColumnLayout = RowLayout>
class GatheredFormat : public CudaFormat {
 public:
  explicit GatheredFormat(const Options& options = {}) : options_(options) {}

  /// A layout that is no CSR is filled from a CSR matrix, first that of A, then that of its
  /// transpose, which takes the most. The tables of sweeps follow with the first sweep.
  std::size_t build_bytes(const NonzeroEstimate& estimate, const Projector& weights) const final {
    const BuildMemory build(estimate, weights);
    const auto stated = static_cast<double>(estimate_bytes(estimate, weights));
    const double sweeps = HasLines<RowLayout> && HasLines<ColumnLayout>
                              ? static_cast<double>(sweep_table_bytes(estimate))
                              : 0;
    return build.beyond(
        stated, {build.tables + stated - sweeps + (keeps_csr<ColumnLayout> ? 0 : build.columns)});
  }
  std::unique_ptr<const Matrix> build(const Projector& weights) const final {
    return std::make_unique<GatheredMatrix<RowLayout, Options, ColumnLayout>>(
        cuda_backend(weights.backend()), weights, options_);
  }

 protected:
  const Options& options() const { return options_; }

 private:
  Options options_;
};

}  // namespace gantry
