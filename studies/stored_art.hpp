#pragma once

#include "core/matrix/rows/view_csr.hpp"

#include <span>
#include <vector>

namespace gantry {

/// ART with its matrix rows in memory, on one thread, ray after ray in the order of the views: the
/// baseline of Yu et al. 2019 (eq. 1). Weights are float32; a nonzero takes 8 bytes with its voxel.
///   f += lambda (p_i - <w_i, f>) / ||w_i||^2 w_i
class StoredArt {
 public:
  /// Computes the matrix rows of these views with a CPU projector; checks for an interrupt between
  /// views. Throws Interrupted and OutOfMemory.
  StoredArt(const Projector& weights, std::vector<int> views);

  /// Makes one pass over its views; `rays` are the data of the whole scan, `order` is a permutation
  /// of 0 .. views - 1 (empty: as they are). Checks for an interrupt between views. Throws
  /// Interrupted.
  void sweep(std::span<const float> rays, double relaxation, std::span<float> image,
             std::span<const int> order = {}) const;
  double nonzeros() const { return nonzeros_; }

  const Projector& weights() const { return weights_; }
  const std::vector<int>& views() const { return views_; }
  const std::vector<ViewCsr>& rows() const { return rows_; }  ///< of each of the views

 private:
  const Projector& weights_;
  std::vector<int> views_;
  std::vector<ViewCsr> rows_;
  double nonzeros_ = 0;
};

/// Returns the time of an iteration of ART (a pass over all views), s, from at most `most_views`
/// views spread over the scan: the median of three passes over these, scaled to all views.
double art_iteration_seconds(const Projector& weights, int most_views);

}  // namespace gantry
