#pragma once

#include "core/operator/projector.hpp"
#include "core/operator/row_source.hpp"

#include <cstddef>
#include <functional>
#include <vector>

namespace gantry {

/// Returns the columns of the view of `rows`, of at most 2^32 voxels: the weights of the rays,
/// sorted by voxels, or of the voxels where that is faster (ViewRows::slice_columns()). After an
/// interrupt the result is incomplete.
ViewColumns view_columns(const Projector& projector, const ViewRows& rows);

/// Returns the columns of all voxels of a view; incomplete after an interrupt.
ViewColumns columns_of_slices(const Projector& projector, const SliceColumns& slices);

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
