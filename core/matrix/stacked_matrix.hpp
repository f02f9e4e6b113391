#pragma once

#include "core/matrix/matrix_format.hpp"

#include <memory>

namespace gantry {

/// A stack of slices in a parallel or fan beam, each seen by one detector row of its own and all
/// alike: a matrix holds the weights of one.
struct SliceStack {
  int slices = 0, views = 0;
  std::size_t pixels = 0, columns = 0;  ///< of a slice
};
/// Zero slices where the scan is no such stack, or the projector's weights are not those of one: a
/// few of its rows are looked at.
SliceStack slice_stack(const Projector& weights);
/// One slice of such a stack (slice_of_stack), which is all that a format that `stacks` lays out;
/// null where the weights are not those of a stack.
std::unique_ptr<Projector> shared_slice(const Projector& weights);

/// A of one slice, applied to each of a stack: several at a time where the slice's matrix can, else
/// one after the other.
class StackedMatrix : public Matrix {
 public:
  StackedMatrix(std::unique_ptr<const Matrix> slice, const SliceStack& stack)
      : slice_(std::move(slice)), stack_(stack) {}

  void multiply(const Array& x, Array& y, ViewSubset subset,
                const LinearOperator& give) const final;
  void multiply_transposed(const Array& y, Array& x, ViewSubset subset,
                           const LinearOperator& give) const final;
  std::unique_ptr<MatrixSweep> make_sweep(const SubsetUpdate& update,
                                          const LinearOperator& give) const final;
  int subsets_at_once() const final { return slice_->subsets_at_once(); }
  MatrixStorage storage() const final;

 protected:
  /// `lines` of `count` values, so far apart.
  virtual void copy_lines(const float* from, std::size_t from_pitch, float* to,
                          std::size_t to_pitch, std::size_t count, std::size_t lines) const = 0;

 private:
  /// Where the rays of a slice in the first view of a subset stand in rays of all slices, and in
  /// those of one; and how far apart those of its views.
  struct Places {
    std::size_t at, pitch, slice_at, slice_pitch, views;
  };
  Places places(int slice, ViewSubset subset) const;
  void take_rays(const Array& of_all, int slice, ViewSubset subset, Array& rays) const;
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

/// On the CPU.
std::unique_ptr<const Matrix> stack_on_host(std::unique_ptr<const Matrix> slice,
                                            const SliceStack& stack);

}  // namespace gantry
