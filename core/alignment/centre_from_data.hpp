#pragma once

#include "core/alignment/beam_consistency.hpp"
#include "core/alignment/centre_of_mass.hpp"
#include "core/alignment/conjugate_rays.hpp"
#include "core/alignment/opposite_views.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace gantry {

/// A method that centre_from_data() tries; `key` is its key in core/centring.
struct UsualCentre {
  const char* key;
  std::optional<CentreEstimate> (*find)(const ScanGeometry&, std::span<const float>);
};

/// Returns the methods that suit a beam, in the order in which they are tried: for a parallel beam
/// views half a turn apart, then the centres of mass of the views; for a fan or cone beam rays that
/// were measured from both sides, then the consistency of pairs of views.
inline std::vector<UsualCentre> usual_centres(Beam beam) {
  if (beam == Beam::parallel)
    return {{"opposite", centre_from_opposite_views}, {"mass", centre_from_mass}};
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

/// Returns the axis of rotation from what changes from view to view, without what all views have in
/// common: by centre_from_opposite_changes() or centre_from_changing_rays().
inline std::optional<CentreEstimate> centre_from_changes(const ScanGeometry& geometry,
                                                         std::span<const float> line_integrals) {
  return geometry.beam() == Beam::parallel ? centre_from_opposite_changes(geometry, line_integrals)
                                           : centre_from_changing_rays(geometry, line_integrals);
}

/// The axis of data that no flat was applied to.
struct CentreWithoutFlat {
  CentreEstimate estimate;
  bool is_certain = false;
  bool is_of_changes = false;  ///< by centre_from_changes(), not by centre_from_data()
};

/// Returns the axis of data whose cells may differ in gain and beam. These pretend an axis of their
/// own, which centre_from_data() may find; its axis is therefore only taken where the changes
/// confirm it, to three standard errors and 0.05 columns. Else the axis is that of the changes.
/// Where these tell none, the axis of centre_from_data() is not certain.
inline std::optional<CentreWithoutFlat> centre_without_flat(const ScanGeometry& geometry,
                                                            std::span<const float> line_integrals) {
  constexpr double least_difference = 0.05, most_errors = 3;
  const auto of_changes = centre_from_changes(geometry, line_integrals),
             of_values = centre_from_data(geometry, line_integrals);
  if (!of_changes) return of_values ? std::optional(CentreWithoutFlat{*of_values}) : std::nullopt;
  const bool agree = of_values && std::abs(of_values->column - of_changes->column) <=
                                      std::max(least_difference, most_errors * of_changes->spread);
  return CentreWithoutFlat{agree ? *of_values : *of_changes, true, !agree};
}

}  // namespace gantry
