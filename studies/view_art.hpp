#pragma once

#include "studies/stored_art.hpp"

namespace gantry {

/// The rounds of a StoredArt on all threads, for the error of many rounds to be known at sizes at
/// which they take minutes on one. The corrections z of a round over the rows of a view depend on
/// each other by what rows have in common, and solve a triangular system:
///   r = p_v - W_v f,   z_i = lambda (r_i - sum_{k < i} <w_i, w_k> z_k) / ||w_i||^2,   f += W_v^T z
/// (Bjorck and Elfving, BIT 19 (1979) 145). In a view rows have pixels in common with a few
/// neighbours only. The iterates are ART's but for rounding, on any number of threads.
class ViewArt {
 public:
  /// The rows are not copied.
  explicit ViewArt(const StoredArt& art);

  /// One round over the views of the rows; `order` is a permutation of 0 .. views - 1.
  void sweep(std::span<const float> rays, double relaxation, std::span<const int> order,
             std::span<float> image) const;

 private:
  /// What the rows of a view have in common with those before them.
  struct Band {
    int reach = 0;                ///< rows further apart share no pixel
    std::vector<double> product;  ///< [row][0 .. reach]: with itself, with the one before, ...
  };
  static Band band_of(const ViewCsr& rows);

  void residuals(const ViewCsr& rows, const float* data, std::span<const float> image) const;
  void solve(const Band& band, double relaxation) const;
  void add(const ViewCsr& rows, const Band& band, std::span<float> image) const;

  const StoredArt& art_;
  std::vector<Band> bands_;
  mutable std::vector<double> z_;  // of a view's rows: residuals, then corrections
};

}  // namespace gantry
