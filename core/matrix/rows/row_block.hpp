#pragma once

#include "core/matrix/rows/view_csr.hpp"

#include <functional>
#include <memory>
#include <string>

namespace gantry {

/// The rows of one view as a format lays them out: immutable. Rays and nonzeros are those of the
/// view alone; its products are plain loops in the order of the layout, on one thread.
class RowBlock {
 public:
  virtual ~RowBlock() = default;
  RowBlock() = default;
  RowBlock(const RowBlock&) = delete;
  RowBlock& operator=(const RowBlock&) = delete;

  /// rays = A x: all rays of the view are written.
  virtual void multiply(const float* image, float* rays) const = 0;
  /// sums += A^T y
  virtual void add_transposed(const float* rays, double* sums) const = 0;
  /// Adds what the block takes to `all`: entries, and bytes to the parts of these names.
  virtual void add_to(MatrixStorage& all) const = 0;
};

/// Adds to the part of this name, which need not be there yet.
void add_part(MatrixStorage& all, const std::string& name, std::size_t bytes,
              PartOf of = PartOf::matrix);

/// Adds the entries of a block, of which those beyond `nonzeros` are padding.
void add_entries(MatrixStorage& all, std::size_t nonzeros, const std::vector<float>& weight,
                 const std::vector<std::uint32_t>& column);

template <class T>
std::size_t bytes_of(const std::vector<T>& values) {
  return values.size() * sizeof(T);
}

/// A of one block a view. Views are computed in parallel; for the transpose, portions of the views
/// that do not depend on the number of threads, each with float64 sums of its own, which are then
/// added in order.
std::unique_ptr<const Matrix> matrix_of_blocks(std::vector<std::unique_ptr<RowBlock>> views,
                                               const Projector& weights);
std::unique_ptr<const Matrix> build_row_blocks(
    const Projector& weights, const std::function<std::unique_ptr<RowBlock>(ViewCsr)>& lay_out);

/// Memory that the portions of a transpose take beside the matrix.
std::size_t row_block_workspace(const NonzeroEstimate& estimate);

}  // namespace gantry
