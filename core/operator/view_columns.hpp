#pragma once

#include "core/operator/projector.hpp"
#include "core/operator/row_source.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace gantry {

/// The columns of A in one view: for each voxel its cells, ascending, and their weights, computed
/// in float64 and rounded once.
struct ViewColumns {
  std::vector<std::size_t> start;   ///< first weight of each voxel, voxels + 1 values
  std::vector<std::uint32_t> cell;  ///< row * columns + column
  std::vector<float> weight;
};

/// Returns the columns of the view of `rows`, of at most 2^32 voxels: the weights of the rays,
/// sorted by voxels, or of the voxels where that is faster (ViewRows::projects_voxels_fast()).
/// After an interrupt the result is incomplete.
ViewColumns view_columns(const Projector& projector, const ViewRows& rows);

/// Calls use(view, its columns, voxel) for each voxel in each view; for one voxel in the order of
/// the views, for different voxels in parallel. Holds the columns of a few views at a time. Throws
/// Interrupted, and UsageError if the projector has no single weights.
template <class Use>
void for_view_columns(const Projector& projector, const Use& use);

/// Calls use(first view, columns of the following views) for a few views at a time.
void for_batches_of_views(
    const Projector& projector,
    const std::function<void(int first, const std::vector<ViewColumns>& views)>& use);

template <class Use>
void for_view_columns(const Projector& projector, const Use& use) {
  for_batches_of_views(projector, [&](int first, const std::vector<ViewColumns>& views) {
#pragma omp parallel for schedule(static)
    for (std::size_t voxel = 0; voxel < projector.domain_size(); ++voxel)
      for (std::size_t v = 0; v < views.size(); ++v)
        use(first + static_cast<int>(v), views[v], voxel);
  });
}

}  // namespace gantry
