#pragma once

#include "core/alignment/beam_consistency.hpp"
#include "core/alignment/conjugate_rays.hpp"
#include "core/alignment/opposite_views.hpp"

namespace gantry {

/// Returns the axis of rotation of a parallel beam by views half a turn apart; of a fan or cone
/// beam by rays that were measured from both sides, where there are none by what pairs of views
/// have in common.
inline std::optional<CentreEstimate> centre_from_data(const ScanGeometry& geometry,
                                                      std::span<const float> line_integrals) {
  if (geometry.beam() == Beam::parallel)
    return centre_from_opposite_views(geometry, line_integrals);
  const auto found = centre_from_conjugate_rays(geometry, line_integrals);
  return found ? found : centre_from_beam_consistency(geometry, line_integrals);
}

}  // namespace gantry
