#include "core/matrix/slice_stack.hpp"

#include "core/base/error.hpp"
#include "core/matrix/row_definition.hpp"
#include "core/matrix/row_norms.hpp"

#include <algorithm>
#include <cmath>

namespace gantry {

namespace {

bool rows_meet_slices(const ScanGeometry& scan, const VolumeGrid& grid) {
  if (scan.beam() == Beam::cone || !scan.turns() || scan.spec().helical_feed_mm_per_turn != 0 ||
      grid.nz < 2 || scan.rows() != grid.nz)
    return false;
  for (const int row : {0, grid.nz - 1}) {
    const double height = (row - scan.spec().central_row) * scan.spec().row_pitch_mm,
                 slice = grid.origin_mm.z + row * grid.spacing_mm.z;
    if (std::abs(height - slice) > 1e-6 * grid.spacing_mm.z) return false;
  }
  return true;
}

/// The nonzeros of a row, by the pixel in its slice; empty where it has some in another.
std::vector<std::pair<std::size_t, double>> in_slice(const ViewRows& view, int column, int slice,
                                                     std::size_t pixels) {
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
      const auto first = in_slice(*view, column, 0, pixels);
      any = any || !first.empty();
      for (const int row : {scan.rows() / 2, scan.rows() - 1}) {
        const auto other = in_slice(*view, column, row, pixels);
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

/// A view of the stack, by the row in its middle.
class SliceRows final : public ViewRows {
 public:
  SliceRows(std::unique_ptr<ViewRows> stack, int slice, std::size_t pixels)
      : stack_(std::move(stack)), slice_(slice), pixels_(pixels) {}

  void weights(int column, int, RowWeights& out) const override {
    stack_->weights(column, slice_, out);
    for (std::size_t& voxel : out.voxel) voxel -= static_cast<std::size_t>(slice_) * pixels_;
  }

 private:
  std::unique_ptr<ViewRows> stack_;
  int slice_;
  std::size_t pixels_;
};

std::shared_ptr<const ScanGeometry> one_row(const ScanGeometry& scan) {
  ScanSpec spec = scan.spec();
  spec.detector_rows = 1;
  spec.central_row = 0;
  return std::make_shared<const ScanGeometry>(std::move(spec));
}

VolumeGrid one_plane(const VolumeGrid& grid) {
  VolumeGrid plane = grid;
  plane.nz = 1;
  plane.origin_mm.z = 0;
  return plane;
}

class OneSlice final : public Projector, public RowSource, public DefinedRows {
 public:
  explicit OneSlice(const Projector& stack)
      : Projector(stack.backend(), one_row(stack.geometry()), one_plane(stack.grid())),
        stack_(stack) {}

  const RowSource* row_source() const override { return this; }
  double rounding() const override { return stack_.rounding(); }

 private:
  std::unique_ptr<ViewRows> view_rows(int view) const override {
    return std::make_unique<SliceRows>(stack_.row_source()->view_rows(view),
                                       stack_.geometry().rows() / 2, domain_size());
  }
  RowDefinition definition() const override { return definition_of(*stack_.row_source()); }
  void do_forward(const Array&, Array&, ViewSubset) const override {
    throw ShapeError("one slice of a stack has no product of its own");
  }
  void do_adjoint(const Array&, Array&, ViewSubset) const override {
    throw ShapeError("one slice of a stack has no product of its own");
  }

  const Projector& stack_;
};

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
  if (!rows_meet_slices(weights.geometry(), grid) || !rows_are_alike(weights, pixels)) return {};
  return {grid.nz, weights.views(), pixels, static_cast<std::size_t>(weights.geometry().columns())};
}

std::unique_ptr<Projector> one_slice(const Projector& stack) {
  return std::make_unique<OneSlice>(stack);
}

StackedMatrix::Places StackedMatrix::places(int slice, ViewSubset subset) const {
  const auto slices = static_cast<std::size_t>(stack_.slices),
             first = static_cast<std::size_t>(subset.first),
             stride = static_cast<std::size_t>(subset.stride);
  return {(first * slices + static_cast<std::size_t>(slice)) * stack_.columns,
          stride * slices * stack_.columns, first * stack_.columns, stride * stack_.columns,
          static_cast<std::size_t>(subset.count)};
}

void StackedMatrix::multiply(const Array& x, Array& y, ViewSubset subset,
                             const LinearOperator& give) const {
  Array image(x.backend(), stack_.pixels),
      rays(x.backend(), stack_.columns * static_cast<std::size_t>(stack_.views));
  for (int slice = 0; slice < stack_.slices; ++slice) {
    const std::size_t at = static_cast<std::size_t>(slice) * stack_.pixels;
    copy_lines(x.data() + at, 0, image.data(), 0, stack_.pixels, 1);
    slice_->multiply(image, rays, subset, give);
    give.give_way();
    const Places p = places(slice, subset);
    copy_lines(rays.data() + p.slice_at, p.slice_pitch, y.data() + p.at, p.pitch, stack_.columns,
               p.views);
  }
}

void StackedMatrix::multiply_transposed(const Array& y, Array& x, ViewSubset subset,
                                        const LinearOperator& give) const {
  Array image(x.backend(), stack_.pixels),
      rays(x.backend(), stack_.columns * static_cast<std::size_t>(stack_.views));
  for (int slice = 0; slice < stack_.slices; ++slice) {
    const Places p = places(slice, subset);
    copy_lines(y.data() + p.at, p.pitch, rays.data() + p.slice_at, p.slice_pitch, stack_.columns,
               p.views);
    slice_->multiply_transposed(rays, image, subset, give);
    give.give_way();
    copy_lines(image.data(), 0, x.data() + static_cast<std::size_t>(slice) * stack_.pixels, 0,
               stack_.pixels, 1);
  }
}

MatrixStorage StackedMatrix::storage() const {
  MatrixStorage all = slice_->storage();
  all.nonzeros *= static_cast<std::uint64_t>(stack_.slices);
  all.parts.push_back(
      {"a slice and its rays",
       sizeof(float) * (stack_.pixels + stack_.columns * static_cast<std::size_t>(stack_.views)),
       PartOf::workspace});
  return all;
}

std::unique_ptr<const Matrix> stack_on_host(std::unique_ptr<const Matrix> slice,
                                            const SliceStack& stack) {
  return std::make_unique<HostStack>(std::move(slice), stack);
}

}  // namespace gantry
