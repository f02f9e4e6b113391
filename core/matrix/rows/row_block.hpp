#pragma once

#include "core/matrix/rows/view_csr.hpp"

#include <functional>
#include <memory>
#include <string>

namespace gantry {

/// The matrix rows of one view in the layout of a format. Immutable. Rays and nonzeros are those of
/// the view alone. The products are plain loops in the order of the layout, on one thread.
class RowBlock {
 public:
  virtual ~RowBlock() = default;
  RowBlock() = default;
  RowBlock(const RowBlock&) = delete;
  RowBlock& operator=(const RowBlock&) = delete;

  /// rays = A x; writes all rays of the view.
  virtual void multiply(const float* image, float* rays) const = 0;
  /// sums += A^T y
  virtual void add_transposed(const float* rays, double* sums) const = 0;
  /// Adds the entries of the block and the bytes of its arrays to `all`.
  virtual void add_to(MatrixStorage& all) const = 0;
};

/// Adds bytes to the part named `name`, which is created if `all` has no such part.
void add_part(MatrixStorage& all, const std::string& name, std::size_t bytes,
              PartOf of = PartOf::matrix);

/// Adds the entries of a block: `nonzeros` of them are nonzeros, the others padding.
void add_entries(MatrixStorage& all, std::size_t nonzeros, const std::vector<float>& weight,
                 const std::vector<std::uint32_t>& column);

template <class T>
std::size_t bytes_of(const std::vector<T>& values) {
  return values.size() * sizeof(T);
}

/// Returns A made of one block for each view. The forward product computes views in parallel. The
/// transposed product computes at most 16 portions of the views in parallel, each with float64 sums
/// of its own, which are then added in order; portions do not depend on the number of threads.
std::unique_ptr<const Matrix> matrix_of_blocks(std::vector<std::unique_ptr<RowBlock>> views,
                                               const Projector& weights);
/// Returns A with the matrix rows of each view laid out by `lay_out`, which is called from several
/// threads. Throws as for_each_view_csr.
std::unique_ptr<const Matrix> build_row_blocks(
    const Projector& weights, const std::function<std::unique_ptr<RowBlock>(ViewCsr)>& lay_out);

/// Returns the bytes that the sums of the portions take during a transposed product.
std::size_t row_block_workspace(const NonzeroEstimate& estimate);

}  // namespace gantry
