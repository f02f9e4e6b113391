#pragma once

#include "core/alignment/beam_consistency.hpp"
#include "core/alignment/conjugate_rays.hpp"
#include "core/alignment/opposite_views.hpp"

#include <vector>

namespace gantry {

/// A method that centre_from_data() tries; `key` is its key in core/centring.
struct UsualCentre {
  const char* key;
  std::optional<CentreEstimate> (*find)(const ScanGeometry&, std::span<const float>);
};

/// Returns the methods that suit a beam, in the order in which they are tried: for a parallel beam
/// views half a turn apart; for a fan or cone beam rays that were measured from both sides, then
/// the consistency of pairs of views.
inline std::vector<UsualCentre> usual_centres(Beam beam) {
  if (beam == Beam::parallel) return {{"opposite", centre_from_opposite_views}};
  const auto by_rays = [](const ScanGeometry& geometry, std::span<const float> line_integrals) {
    return centre_from_conjugate_rays(geometry, line_integrals);
  };
  const auto by_views = [](const ScanGeometry& geometry, std::span<const float> line_integrals) {
    return centre_from_beam_consistency(geometry, line_integrals);
  };
  return {{"conjugate", by_rays}, {"consistency", by_views}};
}

/// Returns the axis of rotation by the first of these methods that finds one.
inline std::optional<CentreEstimate> centre_from_data(const ScanGeometry& geometry,
                                                      std::span<const float> line_integrals) {
  for (const UsualCentre& way : usual_centres(geometry.beam()))
    if (auto found = way.find(geometry, line_integrals)) return found;
  return std::nullopt;
}

}  // namespace gantry
