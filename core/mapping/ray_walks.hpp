#pragma once

#include "core/operator/projector.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace gantry {

/// The walks of some rays through the voxels, in the order along the ray: walk n visits
/// voxels[start[n]] .. voxels[start[n + 1] - 1].
struct RayWalks {
  std::vector<std::uint32_t> rays;  ///< [view][row][column]
  std::vector<std::size_t> start;
  std::vector<std::uint32_t> voxels;

  std::size_t size() const { return rays.size(); }
  std::span<const std::uint32_t> walk(std::size_t n) const {
    return std::span(voxels).subspan(start[n], start[n + 1] - start[n]);
  }
};

/// Throws UsageError if the projector has no single weights, or if its rays or voxels are too many
/// for the numbers of RayWalks and of lists of rays: 2^32 - 1 or more.
void require_walks(const Projector& projector);

/// Returns the walks of a list of rays. The projector must have single weights and fewer than 2^32
/// voxels and rays. Rays of one view should follow each other.
RayWalks walks_of(const Projector& projector, std::span<const std::uint32_t> rays);

}  // namespace gantry
