#pragma once

#include "core/matrix/matrix_format.hpp"
#include "core/matrix/rows/view_csr.hpp"

#include <functional>
#include <memory>
#include <span>
#include <vector>

namespace gantry {

/// W, the matrix rows of the stored views of a symmetric scan: the views from which all others
/// follow by symmetry (cuART, Yu et al. 2019, calls the stored views the zone). Immutable. A
/// product takes `vectors` vectors at once; value j of vector k lies at [j * vectors + k]. `views`
/// are indices among the stored views. The results depend on the matrix and the vectors alone, not
/// on the number of threads. The products check the interrupt of `interruptible`; after one the
/// results are incomplete and must not be read.
class ScsrStoredViews {
 public:
  /// Receives the ray sums of views[i]: sums[cell * vectors + k].
  using UseSums = std::function<void(std::size_t i, const double* sums)>;

  virtual ~ScsrStoredViews() = default;
  ScsrStoredViews() = default;
  ScsrStoredViews(const ScsrStoredViews&) = delete;
  ScsrStoredViews& operator=(const ScsrStoredViews&) = delete;

  /// Computes Y = W X for `views`; calls use(i, sums) once for each view, from several threads.
  virtual void multiply(std::span<const int> views, int vectors, const float* x, const UseSums& use,
                        const LinearOperator& interruptible) const = 0;
  /// Computes X = W^T Y from `views`; y[(i * cells + cell) * vectors + k] belongs to views[i].
  virtual void multiply_transposed(std::span<const int> views, int vectors, const float* y,
                                   float* x, const LinearOperator& interruptible) const = 0;
  /// Returns the number of stored nonzeros of a view.
  virtual std::uint64_t nonzeros(std::size_t view) const = 0;
  /// Sets the padding and the parts of `storage`; the stored entries follow from nonzeros().
  virtual void describe(MatrixStorage& storage) const = 0;
  /// Returns the matrix rows of a view, restored from the stored layout.
  virtual ViewCsr decode(std::size_t view) const = 0;
};

}  // namespace gantry
