#include "core/operator/slice_stack.hpp"

#include "core/operator/row_norms.hpp"
#include "core/operator/row_source.hpp"

#include <cmath>
#include <stdexcept>

namespace gantry {

namespace {

/// The columns of a stack's first slice, in its own detector row.
class FirstSliceColumns final : public SliceColumns {
 public:
  FirstSliceColumns(std::unique_ptr<SliceColumns> stack, std::size_t columns)
      : stack_(std::move(stack)), columns_(columns) {}

  void append(int iz, ViewColumns& out) const override {
    std::size_t k = out.cell.size(), kept = k;
    const std::size_t first_end = out.start.size();
    stack_->append(iz, out);
    for (std::size_t end = first_end; end < out.start.size(); ++end) {
      for (; k < out.start[end]; ++k)
        if (out.cell[k] < columns_) {
          out.cell[kept] = out.cell[k];
          out.weight[kept++] = out.weight[k];
        }
      out.start[end] = kept;
    }
    out.cell.resize(kept);
    out.weight.resize(kept);
  }

 private:
  std::unique_ptr<SliceColumns> stack_;
  std::size_t columns_;
};

/// The rows of a stack's first slice. Weights in other slices can only be rounding errors and are
/// left out.
class SliceViewRows final : public ViewRows {
 public:
  SliceViewRows(std::unique_ptr<ViewRows> stack, std::size_t pixels, std::size_t columns)
      : stack_(std::move(stack)), pixels_(pixels), columns_(columns) {}

  void weights(int column, int row, RowWeights& out) const override {
    stack_->weights(column, row, out);
    keep(out.voxel, out.weight, pixels_);
  }

  void voxel_weights(int ix, int iy, int, CellWeights& out) const override {
    stack_->voxel_weights(ix, iy, 0, out);
    keep(out.cell, out.weight, columns_);
  }

  std::unique_ptr<SliceColumns> slice_columns() const override {
    auto of_stack = stack_->slice_columns();
    if (of_stack == nullptr) return nullptr;
    return std::make_unique<FirstSliceColumns>(std::move(of_stack), columns_);
  }

 private:
  /// Keeps the weights whose index is below `count`.
  static void keep(std::vector<std::size_t>& index, std::vector<double>& weight,
                   std::size_t count) {
    std::size_t kept = 0;
    for (std::size_t k = 0; k < index.size(); ++k) {
      if (index[k] >= count) continue;
      index[kept] = index[k];
      weight[kept++] = weight[k];
    }
    index.resize(kept);
    weight.resize(kept);
  }

  std::unique_ptr<ViewRows> stack_;
  std::size_t pixels_, columns_;
};

class SliceRows final : public RowSource, public DefinedRows {
 public:
  SliceRows(const RowSource& stack, std::size_t pixels, std::size_t columns)
      : stack_(stack), pixels_(pixels), columns_(columns) {}
  std::unique_ptr<ViewRows> view_rows(int view) const override {
    return std::make_unique<SliceViewRows>(stack_.view_rows(view), pixels_, columns_);
  }
  RowDefinition definition() const override { return definition_of(stack_); }
  std::string_view weights_name() const override { return stack_.weights_name(); }

 private:
  const RowSource& stack_;
  std::size_t pixels_, columns_;
};

std::shared_ptr<const ScanGeometry> one_row(const ScanGeometry& geometry) {
  ScanSpec spec = geometry.spec();
  spec.detector_rows = 1;
  spec.central_row = 0;
  return std::make_shared<const ScanGeometry>(std::move(spec));
}

VolumeGrid one_slice(VolumeGrid grid) {
  grid.nz = 1;
  grid.origin_mm.z = 0;
  return grid;
}

class Slice final : public Projector {
 public:
  explicit Slice(const Projector& stack)
      : Projector(stack.backend(), one_row(stack.geometry()), one_slice(stack.grid())),
        rounding_(stack.rounding()),
        rows_(require_row_source(stack), one_slice(stack.grid()).voxels(),
              static_cast<std::size_t>(stack.geometry().columns())) {
    set_interrupt((stack.*&Slice::interrupt)());  // interrupt() is protected
  }
  double rounding() const override { return rounding_; }
  const RowSource* row_source() const override { return &rows_; }

 private:
  void do_forward(const Array&, Array&, ViewSubset) const override { refuse(); }
  void do_adjoint(const Array&, Array&, ViewSubset) const override { refuse(); }
  static void refuse() { throw std::logic_error("a slice of a stack has weights alone"); }

  double rounding_;
  SliceRows rows_;
};

}  // namespace

bool is_stack(const ScanGeometry& geometry, const VolumeGrid& grid) {
  const ScanSpec& spec = geometry.spec();
  if (geometry.beam() == Beam::cone || spec.trajectory != Trajectory::circular) return false;
  if (geometry.rows() != grid.nz) return false;
  const double slice = grid.spacing_mm.z, tolerance = 1e-6 * slice;
  const auto off = [&](int row) {
    return (row - spec.central_row) * spec.row_pitch_mm - (grid.origin_mm.z + row * slice);
  };
  return std::abs(spec.row_pitch_mm - slice) <= tolerance && std::abs(off(0)) <= tolerance &&
         std::abs(off(grid.nz - 1)) <= tolerance;
}

std::unique_ptr<Projector> slice_of_stack(const Projector& stack) {
  return std::make_unique<Slice>(stack);
}

}  // namespace gantry
