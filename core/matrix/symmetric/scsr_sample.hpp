#pragma once

#include "core/matrix/rows/view_csr.hpp"

#include <vector>

namespace gantry {

/// Some of the matrix rows of the stored views, from which the size of a layout is estimated by
/// building it: all rows of a small scan, else a few thousand rows of some views.
struct ScsrSample {
  std::vector<ViewCsr> views;  ///< every column_stride-th cell along a detector row
  std::vector<int> numbers;    ///< of the views
  int column_stride = 1;
  double scale = 1;  ///< stored matrix rows for each one of the sample
};

/// Computes a sample of the first `most_rows` detector rows of the stored views. in_pairs: the
/// views are pairs of neighbours from both ends of the stored views, as view-level blocking
/// combines them.
ScsrSample sample_stored_views(const Projector& weights, const std::vector<int>& stored_views,
                               int most_rows, bool in_pairs);

}  // namespace gantry
