#pragma once

#include "core/matrix/rows/view_csr.hpp"

#include <span>
#include <vector>

namespace gantry {

/// ART with its rows in memory, on one thread, ray after ray in the order of the views: the
/// baseline of Yu et al. 2018 (eq. 1). Weights are float32, 8 bytes a nonzero with their voxels.
///   f += lambda (p_i - <w_i, f>) / ||w_i||^2 w_i
class StoredArt {
 public:
  /// The rows of these views of a CPU projector; gives way between views. Throws Interrupted and
  /// OutOfMemory.
  StoredArt(const Projector& weights, std::vector<int> views);

  /// One round over its views; `rays` are those of the whole scan. Gives way between views.
  void sweep(std::span<const float> rays, double relaxation, std::span<float> image) const;
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

/// Seconds of a round over all views, from `most_views` of them spread over the scan: a round is
/// proportional to its nonzeros, and the median of three is taken.
double art_round_seconds(const Projector& weights, int most_views);

}  // namespace gantry
