#pragma once

#include "core/matrix/matrix_format.hpp"
#include "core/matrix/rows/view_csr.hpp"

#include <functional>
#include <memory>
#include <span>
#include <vector>

namespace gantry {

/// The rows of the stored views of a symmetric scan as they lie in memory, by view: immutable.
/// Products are with several vectors at once; value j of lane k lies at [j * lanes + k]. Views are
/// counted by their place among the stored ones. Results depend on nothing but matrix and vectors;
/// interrupted, they are not finished and nobody reads them.
class ScsrStoredViews {
 public:
  /// What the i-th of the views asked for sums up to: [cell * lanes + k].
  using UseSums = std::function<void(std::size_t i, const double* sums)>;

  virtual ~ScsrStoredViews() = default;
  ScsrStoredViews() = default;
  ScsrStoredViews(const ScsrStoredViews&) = delete;
  ScsrStoredViews& operator=(const ScsrStoredViews&) = delete;

  /// Y = W X for some views; use() is called once for each, from several threads.
  virtual void multiply(std::span<const int> views, int lanes, const float* x, const UseSums& use,
                        const LinearOperator& give) const = 0;
  /// X = W^T Y from some views: `y` has [(i * cells + cell) * lanes + k] for the i-th of them.
  virtual void multiply_transposed(std::span<const int> views, int lanes, const float* y, float* x,
                                   const LinearOperator& give) const = 0;
  /// Nonzeros of a view.
  virtual std::uint64_t nonzeros(std::size_t view) const = 0;
  /// Padding and parts; what is stored is known from nonzeros().
  virtual void describe(MatrixStorage& storage) const = 0;
  /// The rows of a view back from how they are stored.
  virtual ViewCsr decode(std::size_t view) const = 0;
};

}  // namespace gantry
