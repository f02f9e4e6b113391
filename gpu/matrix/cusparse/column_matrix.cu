#include "core/matrix/tiles/tile_matrix.hpp"
#include "core/operator/slice_stack.hpp"
#include "gpu/base/launch.hpp"
#include "gpu/matrix/cusparse/column_matrix.hpp"
#include "gpu/matrix/cusparse/tuning.hpp"

#include <algorithm>

namespace gantry {

namespace {

using device::transpose_side, device::transpose_rows;

constexpr const char* purpose = "products of many slices";

std::int64_t up_to_multiple(std::int64_t count, std::int64_t of) {
  return (count + of - 1) / of * of;
}

}  // namespace

ColumnMatrix::ColumnMatrix(const CudaBackend& cuda, const Projector& weights, ColumnForm form)
    : cuda_(cuda),
      layout_{weights.grid().nz, weights.geometry().columns(),
              std::int64_t{weights.grid().nx} * weights.grid().ny},
      together_(form.together > 0 ? form.together : layout_.slices),
      stride_(form.columns > 0 ? form.columns : together_),
      half_(form.half),
      headroom_(form.headroom),
      unit_(form.half ? static_cast<float>(weight_unit(*slice_of_stack(weights))) : 1),
      magnitudes_(cuda, layout_, weights.grid().nx) {
  const std::int64_t rays = std::int64_t{weights.views()} * layout_.cells;
  rays_ = make_positions(
      form.rays,
      up_to_multiple(form.rays.at.empty() ? rays : std::ssize(form.rays.at), form.multiple_of));
  pixels_ = make_positions(
      form.pixels,
      up_to_multiple(form.pixels.at.empty() ? layout_.pixels : std::ssize(form.pixels.at),
                     form.multiple_of));
}

ColumnMatrix::Positions ColumnMatrix::make_positions(const BlockOrder& order,
                                                     std::int64_t count) const {
  const DeviceScope scope(cuda_.device());
  Positions made;
  made.count = count;
  if (!order.at.empty()) {
    std::vector<int> at(order.at.begin(), order.at.end());
    at.resize(static_cast<std::size_t>(count), -1);
    made.at = DeviceBuffer<int>(cuda_, std::span<const int>(at), purpose);
  }
  made.vectors = DeviceBuffer<float>(
      cuda_, static_cast<std::size_t>(count) * static_cast<std::size_t>(stride_), purpose);
  // Columns that stand for no slice must stay 0.
  check(
      cudaMemsetAsync(made.vectors.data(), 0, made.vectors.size() * sizeof(float), cuda_.stream()),
      purpose);
  return made;
}

device::SliceColumns ColumnMatrix::columns_of(const Positions& of, int first,
                                              ViewSubset subset) const {
  return {layout_,
          first,
          std::min(together_, layout_.slices - first),
          stride_,
          of.count,
          of.at.data(),
          {subset.first, subset.stride, subset.count, layout_.cells},
          half_ ? magnitudes_.bits() : nullptr,
          headroom_,
          unit_};
}

template <bool Rays>
void ColumnMatrix::fill(Positions& to, int first, ViewSubset subset, const Array& from) const {
  const device::SliceColumns part = columns_of(to, first, subset);
  const dim3 grid(blocks(part.positions, transpose_side), blocks(part.stride, transpose_side)),
      block(transpose_side, transpose_rows);
  if (half_)
    device::to_columns<Rays><<<grid, block, 0, cuda_.stream()>>>(
        part, from.data(), reinterpret_cast<__half*>(to.vectors.data()));
  else
    device::to_columns<Rays>
        <<<grid, block, 0, cuda_.stream()>>>(part, from.data(), to.vectors.data());
  check_launch("to_columns");
}

template <bool Rays>
void ColumnMatrix::empty(const Positions& from, int first, ViewSubset subset, Array& to) const {
  const device::SliceColumns part = columns_of(from, first, subset);
  const dim3 grid(blocks(part.positions, transpose_side), blocks(part.slices, transpose_side)),
      block(transpose_side, transpose_rows);
  device::from_columns<Rays>
      <<<grid, block, 0, cuda_.stream()>>>(part, from.vectors.data(), to.data());
  check_launch("from_columns");
}

template <class Work>
void ColumnMatrix::for_parts_of_slices(const LinearOperator& interruptible,
                                       const Work& work) const {
  const DeviceScope scope(cuda_.device());
  for (int first = 0; first < layout_.slices; first += together_) {
    interruptible.check_interrupt();
    work(first);
  }
}

void ColumnMatrix::multiply(const Array& x, Array& y, ViewSubset subset,
                            const LinearOperator& interruptible) const {
  const DeviceScope scope(cuda_.device());
  if (half_) magnitudes_.find_of_images(x.data());
  for_parts_of_slices(interruptible, [&](int first) {
    fill<false>(pixels_, first, subset, x);
    product(pixels_.vectors.data(), rays_.vectors.data());
    empty<true>(rays_, first, subset, y);
  });
}

void ColumnMatrix::multiply_transposed(const Array& y, Array& x, ViewSubset subset,
                                       const LinearOperator& interruptible) const {
  const DeviceScope scope(cuda_.device());
  if (half_) magnitudes_.find_of_rays(y.data(), subset);
  for_parts_of_slices(interruptible, [&](int first) {
    fill<true>(rays_, first, subset, y);
    transposed(rays_.vectors.data(), pixels_.vectors.data());
    empty<false>(pixels_, first, subset, x);
  });
}

MatrixStorage ColumnMatrix::storage() const {
  MatrixStorage all = stored();
  all.nonzeros *= static_cast<std::uint64_t>(layout_.slices);
  if (!rays_.at.empty()) all.parts.push_back({"order of rays", rays_.at.size() * sizeof(int)});
  if (!pixels_.at.empty())
    all.parts.push_back({"order of pixels", pixels_.at.size() * sizeof(int)});
  all.parts.push_back(
      {"vectors as columns",
       (rays_.vectors.size() + pixels_.vectors.size()) * sizeof(float) + magnitudes_.bytes(),
       PartOf::workspace});
  return all;
}

}  // namespace gantry
