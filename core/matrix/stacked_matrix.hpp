#pragma once

#include "core/matrix/matrix_format.hpp"

#include <memory>

namespace gantry {

/// The sizes of a stack: slices in a parallel or fan beam, each measured by a detector row of its
/// own. All slices have the same weights, so that a matrix stores those of one.
struct SliceStack {
  int slices = 0, views = 0;
  std::size_t pixels = 0, columns = 0;  ///< of a slice
};
/// Returns the sizes of the stack; zero slices if the scan is not a stack, or if a few sampled rows
/// show that the projector's weights differ from slice to slice.
SliceStack slice_stack(const Projector& weights);
/// Returns the projector of one slice of a stack (slice_of_stack), whose weights are all that a
/// format with stacks() stores; null if the weights are not those of a stack.
std::unique_ptr<Projector> shared_slice(const Projector& weights);

/// Returns the bytes of a slice and its rays, which a product with a stack copies.
std::size_t slice_bytes(const SliceStack& stack);

/// The matrix of one slice, applied to each slice of a stack: to several at a time if the matrix
/// can, else to one after another.
class StackedMatrix : public Matrix {
 public:
  StackedMatrix(std::unique_ptr<const Matrix> slice, const SliceStack& stack)
      : slice_(std::move(slice)), stack_(stack) {}

  void multiply(const Array& x, Array& y, ViewSubset subset,
                const LinearOperator& interruptible) const final;
  void multiply_transposed(const Array& y, Array& x, ViewSubset subset,
                           const LinearOperator& interruptible) const final;
  std::unique_ptr<MatrixSweep> make_sweep(const SubsetUpdate& update,
                                          const LinearOperator& interruptible) const final;
  int subsets_at_once(int views_of_subset) const final {
    return slice_->subsets_at_once(views_of_subset);
  }
  MatrixStorage storage() const final;

 protected:
  /// Copies `lines` runs of `count` values, whose begins are from_pitch and to_pitch values apart.
  virtual void copy_lines(const float* from, std::size_t from_pitch, float* to,
                          std::size_t to_pitch, std::size_t count, std::size_t lines) const = 0;

 private:
  /// Offsets of the rays of a slice in the first view of a subset, among the rays of all slices
  /// (at) and of one slice (slice_at), and the distances from one view of the subset to the next.
  struct RayOffsets {
    std::size_t at, pitch, slice_at, slice_pitch, views;
  };
  RayOffsets ray_offsets(int slice, ViewSubset subset) const;
  void copy_rays_of_slice(const Array& of_all, int slice, ViewSubset subset, Array& rays) const;
  void take_image(const Array& of_all, int slice, Array& image) const;
  void put_image(const Array& image, int slice, Array& of_all) const;
  Array image_of(const Array& any) const { return {any.backend(), stack_.pixels}; }
  Array rays_of(const Array& any) const {
    return {any.backend(), stack_.columns * static_cast<std::size_t>(stack_.views)};
  }

  class Sweep;

  std::unique_ptr<const Matrix> slice_;
  SliceStack stack_;
};

/// Makes the stack on the CPU.
std::unique_ptr<const Matrix> stack_on_host(std::unique_ptr<const Matrix> slice,
                                            const SliceStack& stack);

}  // namespace gantry
