#include "core/matrix/stacked_matrix.hpp"

#include "core/operator/row_norms.hpp"
#include "core/operator/slice_stack.hpp"

#include <algorithm>
#include <cmath>

namespace gantry {

namespace {

/// Returns the nonzeros of a row, by the pixel in its slice; empty if it has nonzeros in another
/// slice.
std::vector<std::pair<std::size_t, double>> nonzeros_in_slice(const ViewRows& view, int column,
                                                              int slice, std::size_t pixels) {
  RowWeights row;
  view.weights(column, slice, row);
  std::vector<std::pair<std::size_t, double>> found;
  for (std::size_t k = 0; k < row.size(); ++k) {
    if (row.voxel[k] / pixels != static_cast<std::size_t>(slice)) return {};
    found.emplace_back(row.voxel[k] % pixels, row.weight[k]);
  }
  std::ranges::sort(found);
  return found;
}

bool rows_are_alike(const Projector& weights, std::size_t pixels) {
  constexpr int places = 4;
  const ScanGeometry& scan = weights.geometry();
  bool any = false;
  for (int v = 0; v < places; ++v) {
    const auto view = require_row_source(weights).view_rows(v * (scan.views() - 1) / places);
    for (int c = 1; c < places; ++c) {
      const int column = c * (scan.columns() - 1) / places;
      const auto first = nonzeros_in_slice(*view, column, 0, pixels);
      any = any || !first.empty();
      for (const int row : {scan.rows() / 2, scan.rows() - 1}) {
        const auto other = nonzeros_in_slice(*view, column, row, pixels);
        if (first.size() != other.size()) return false;
        for (std::size_t k = 0; k < first.size(); ++k)
          if (first[k].first != other[k].first ||
              std::abs(first[k].second - other[k].second) > 1e-9 * first[k].second)
            return false;
      }
    }
  }
  return any;
}

class HostStack final : public StackedMatrix {
 public:
  using StackedMatrix::StackedMatrix;

 private:
  void copy_lines(const float* from, std::size_t from_pitch, float* to, std::size_t to_pitch,
                  std::size_t count, std::size_t lines) const override {
    for (std::size_t i = 0; i < lines; ++i)
      std::copy_n(from + i * from_pitch, count, to + i * to_pitch);
  }
};

}  // namespace

SliceStack slice_stack(const Projector& weights) {
  const VolumeGrid& grid = weights.grid();
  const std::size_t pixels = static_cast<std::size_t>(grid.nx) * static_cast<std::size_t>(grid.ny);
  if (grid.nz < 2 || !is_stack(weights.geometry(), grid) || !rows_are_alike(weights, pixels))
    return {};
  return {grid.nz, weights.views(), pixels, static_cast<std::size_t>(weights.geometry().columns())};
}

std::unique_ptr<Projector> shared_slice(const Projector& weights) {
  return slice_stack(weights).slices > 0 ? slice_of_stack(weights) : nullptr;
}

std::size_t slice_bytes(const SliceStack& stack) {
  return sizeof(float) * (stack.pixels + stack.columns * static_cast<std::size_t>(stack.views));
}

StackedMatrix::RayOffsets StackedMatrix::ray_offsets(int slice, ViewSubset subset) const {
  const auto slices = static_cast<std::size_t>(stack_.slices),
             first = static_cast<std::size_t>(subset.first),
             stride = static_cast<std::size_t>(subset.stride);
  return {(first * slices + static_cast<std::size_t>(slice)) * stack_.columns,
          stride * slices * stack_.columns, first * stack_.columns, stride * stack_.columns,
          static_cast<std::size_t>(subset.count)};
}

void StackedMatrix::copy_rays_of_slice(const Array& of_all, int slice, ViewSubset subset,
                                       Array& rays) const {
  const RayOffsets p = ray_offsets(slice, subset);
  copy_lines(of_all.data() + p.at, p.pitch, rays.data() + p.slice_at, p.slice_pitch, stack_.columns,
             p.views);
}

void StackedMatrix::take_image(const Array& of_all, int slice, Array& image) const {
  copy_lines(of_all.data() + static_cast<std::size_t>(slice) * stack_.pixels, 0, image.data(), 0,
             stack_.pixels, 1);
}

void StackedMatrix::put_image(const Array& image, int slice, Array& of_all) const {
  copy_lines(image.data(), 0, of_all.data() + static_cast<std::size_t>(slice) * stack_.pixels, 0,
             stack_.pixels, 1);
}

void StackedMatrix::multiply(const Array& x, Array& y, ViewSubset subset,
                             const LinearOperator& interruptible) const {
  if (slice_->multiply_stack(x, y, stack_, subset, interruptible)) return;
  Array image = image_of(x), rays = rays_of(x);
  for (int slice = 0; slice < stack_.slices; ++slice) {
    take_image(x, slice, image);
    slice_->multiply(image, rays, subset, interruptible);
    interruptible.check_interrupt();
    const RayOffsets p = ray_offsets(slice, subset);
    copy_lines(rays.data() + p.slice_at, p.slice_pitch, y.data() + p.at, p.pitch, stack_.columns,
               p.views);
  }
}

void StackedMatrix::multiply_transposed(const Array& y, Array& x, ViewSubset subset,
                                        const LinearOperator& interruptible) const {
  if (slice_->multiply_stack_transposed(y, x, stack_, subset, interruptible)) return;
  Array image = image_of(x), rays = rays_of(x);
  for (int slice = 0; slice < stack_.slices; ++slice) {
    copy_rays_of_slice(y, slice, subset, rays);
    slice_->multiply_transposed(rays, image, subset, interruptible);
    interruptible.check_interrupt();
    put_image(image, slice, x);
  }
}

/// Sweeps of a stack. Slices are independent, so that each slice has its whole sweep before the
/// next.
class StackedMatrix::Sweep final : public MatrixSweep {
 public:
  Sweep(const StackedMatrix& stack, std::unique_ptr<MatrixSweep> of_slice)
      : stack_(stack), of_slice_(std::move(of_slice)) {}

  std::optional<UpdateNorms> run(const SweepOperands& all,
                                 std::span<const ViewSubset> subsets) override {
    if (image_.empty()) make_slice(all.x);
    const ViewSubset taken =
        subsets.size() == 1 ? subsets.front() : ViewSubset::all(stack_.stack_.views);
    // A second image, since others may read x while a slice checks for an interrupt.
    Array updated(all.x.backend(), all.x.size());
    UpdateNorms sum;
    for (int slice = 0; slice < stack_.stack_.slices; ++slice) {
      stack_.take_image(all.x, slice, image_);
      stack_.copy_rays_of_slice(all.b, slice, taken, measured_);
      stack_.copy_rays_of_slice(all.row_weight, slice, taken, weight_);
      const auto norms = of_slice_->run({image_, measured_, weight_, residual_}, subsets);
      if (!norms) return std::nullopt;  // at the first slice, if at all
      sum.residual_square += norms->residual_square;
      sum.update_square += norms->update_square;
      stack_.put_image(image_, slice, updated);
    }
    all.x.backend().copy(updated, all.x);
    return sum;
  }

 private:
  void make_slice(const Array& like) {
    image_ = stack_.image_of(like);
    measured_ = stack_.rays_of(like);
    weight_ = stack_.rays_of(like);
    residual_ = stack_.rays_of(like);
  }

  const StackedMatrix& stack_;
  std::unique_ptr<MatrixSweep> of_slice_;
  Array image_, measured_, weight_, residual_;  // of one slice; a recording holds their addresses
};

std::unique_ptr<MatrixSweep> StackedMatrix::make_sweep(const SubsetUpdate& update,
                                                       const LinearOperator& interruptible) const {
  if (slice_->subsets_at_once(1) == 1) return nullptr;
  auto of_slice = slice_->make_sweep(update, interruptible);
  return of_slice ? std::make_unique<Sweep>(*this, std::move(of_slice)) : nullptr;
}

MatrixStorage StackedMatrix::storage() const {
  MatrixStorage all = slice_->storage();
  all.nonzeros *= static_cast<std::uint64_t>(stack_.slices);
  const std::size_t rays = stack_.columns * static_cast<std::size_t>(stack_.views);
  all.parts.push_back({"a slice and its rays", slice_bytes(stack_), PartOf::workspace});
  if (slice_->subsets_at_once(1) > 1)
    all.parts.push_back(
        {"a slice's sweep", sizeof(float) * (stack_.pixels + 3 * rays), PartOf::workspace});
  return all;
}

std::unique_ptr<const Matrix> stack_on_host(std::unique_ptr<const Matrix> slice,
                                            const SliceStack& stack) {
  return std::make_unique<HostStack>(std::move(slice), stack);
}

}  // namespace gantry
