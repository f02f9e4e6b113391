#pragma once

#include "core/matrix/matrix_format.hpp"
#include "gpu/kernels/row_selection.hpp"
#include "gpu/matrix/device_rows.hpp"

#include <numeric>
#include <utility>

namespace gantry {

/// Of a layout's rows, what a product is to compute and to read.
struct RowProduct {
  device::ViewRange rows;
  device::ViewRange operand;
  bool filtered;  ///< whether the operand is restricted
  const float* in;
  float* out;
};

/// Of a layout that has none.
struct NoOptions {};

/// Two matrices, W and its transpose: both products add up along rows. A layout is made of (cuda,
/// DeviceCsr, rows in a group, options) and has multiply(RowProduct), parts() and padding().
template <class RowLayout, class Options, class ColumnLayout = RowLayout>
class GatheredMatrix final : public Matrix {
 public:
  GatheredMatrix(const CudaBackend& cuda, const Projector& weights, const Options& options)
      : GatheredMatrix(cuda, weights, DeviceRows(cuda, weights, all_views(weights)), options) {}

  void multiply(const Array& x, Array& y, ViewSubset subset,
                const LinearOperator& give) const override {
    give.give_way();
    const DeviceScope scope(cuda_.device());
    rows_.multiply({range(subset), {}, false, x.data(), y.data()});
  }
  void multiply_transposed(const Array& y, Array& x, ViewSubset subset,
                           const LinearOperator& give) const override {
    give.give_way();
    const DeviceScope scope(cuda_.device());
    columns_.multiply({{0, 1, lines_, voxels_ / lines_},
                       range(subset),
                       !(subset == ViewSubset::all(views_)),
                       y.data(),
                       x.data()});
  }
  MatrixStorage storage() const override {
    MatrixStorage all{nonzeros_, nonzeros_, rows_.padding() + columns_.padding(), rows_.parts(), 0};
    for (MatrixPart part : columns_.parts()) {
      part.name = "transposed " + part.name;
      if (part.of == PartOf::matrix) part.of = PartOf::transpose;
      all.parts.push_back(std::move(part));
    }
    return all;
  }

 private:
  GatheredMatrix(const CudaBackend& cuda, const Projector& weights, const DeviceRows& rows,
                 const Options& options)
      : cuda_(cuda),
        views_(weights.views()),
        cells_(static_cast<int>(weights.cells_per_view())),
        lines_(weights.grid().ny * weights.grid().nz),
        voxels_(static_cast<int>(weights.domain_size())),
        rows_(cuda, counted(rows.rows(), weights), cells_, options),
        columns_(cuda, rows.columns(), voxels_ / lines_, options) {}

  static std::vector<int> all_views(const Projector& weights) {
    std::vector<int> views(static_cast<std::size_t>(weights.views()));
    std::iota(views.begin(), views.end(), 0);
    return views;
  }
  DeviceCsr counted(DeviceCsr matrix, const Projector& weights) {
    weights.give_way();
    nonzeros_ = static_cast<std::uint64_t>(matrix.nonzeros());
    return matrix;
  }
  device::ViewRange range(ViewSubset subset) const {
    return {subset.first, subset.stride, subset.count, cells_};
  }

  const CudaBackend& cuda_;
  int views_, cells_, lines_, voxels_;
  std::uint64_t nonzeros_ = 0;
  RowLayout rows_;
  ColumnLayout columns_;
};

}  // namespace gantry
