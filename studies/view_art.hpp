#pragma once

#include "studies/stored_art.hpp"

namespace gantry {

/// The iterations of a StoredArt on all threads, so that errors of many iterations can be computed
/// at sizes where an iteration takes minutes on one thread. The corrections z of the rays of a view
/// depend on each other through the products of their matrix rows, and solve a triangular system:
///   r = p_v - W_v f,   z_i = lambda (r_i - sum_{k < i} <w_i, w_k> z_k) / ||w_i||^2,   f += W_v^T z
/// (Bjorck and Elfving, BIT 19 (1979) 145). In a view a ray has pixels in common with a few
/// neighbours only. The iterates are those of ART up to rounding, on any number of threads.
class ViewArt {
 public:
  /// Computes the products of matrix rows; `art` is not copied and must outlive this object.
  explicit ViewArt(const StoredArt& art);

  /// Makes one pass over the views; `order` is a permutation of 0 .. views - 1.
  void sweep(std::span<const float> rays, double relaxation, std::span<const int> order,
             std::span<float> image) const;

 private:
  /// The products <w_i, w_k> of each matrix row of a view with the row itself and those before it.
  struct Band {
    int reach = 0;                ///< rays further apart have no pixel in common
    std::vector<double> product;  ///< [ray][0 .. reach]: with itself, with the one before, ...
  };
  static Band band_of(const ViewCsr& rows);

  void residuals(const ViewCsr& rows, const float* data, std::span<const float> image) const;
  void solve(const Band& band, double relaxation) const;
  void add(const ViewCsr& rows, const Band& band, std::span<float> image) const;

  const StoredArt& art_;
  std::vector<Band> bands_;
  mutable std::vector<double> z_;  // of the rays of a view: residuals, then corrections
};

}  // namespace gantry
