#pragma once

#include "core/mapping/thread_mapping.hpp"
#include "core/operator/projector.hpp"
#include "studies/study.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace gantry::cli {

/// Which warps are counted.
struct WarpSample {
  std::size_t stride = 1;   ///< every stride-th warp
  std::size_t at_once = 1;  ///< warps of a group, of which collisions between warps are counted
  std::size_t groups = 4;   ///< such groups of each order, at most
};

/// Returns the sample that counts about 2048 warps. Its stride has no divisor in common with the
/// warps of a view, so that the counted warps lie everywhere in the views.
WarpSample usual_sample(const Projector& projector, std::size_t at_once);
/// Returns a line that says which warps are counted.
std::string describe(const WarpSample& sample);

/// Returns the counters of four orders of the rays, in steps along the walks, and by layers where
/// the projector's kernel traces so:
/// - default: thread n traces ray n;
/// - random: the rays of each view in random order;
/// - tiles: each view in patches of neighbouring cells, as SGD and ART take them;
/// - mapped: by the mapping.
/// Sets `common` to the voxels that rays of a counted warp of the mapping have in common.
StudyTable mapping_table(const Projector& projector, const ThreadMapping& mapping,
                         const WarpSample& sample, std::int64_t& common);
/// Returns why the mapping does not lower the sectors of a request, in one line.
std::string about_sectors();

}  // namespace gantry::cli
