#include "core/alignment/opposite_views.hpp"

#include "core/alignment/half_turn_ends.hpp"
#include "core/alignment/mirrored_views.hpp"
#include "core/base/error.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace gantry {

namespace {

constexpr std::size_t most_pairs = 8;
}  // namespace

std::optional<CentreEstimate> centre_from_opposite_views(const ScanGeometry& geometry,
                                                         std::span<const float> line_integrals) {
  if (line_integrals.size() != geometry.rays())
    throw ShapeError("the line integrals are not those of the geometry");
  if (geometry.beam() != Beam::parallel || !geometry.rotates()) return std::nullopt;
  const auto bands = [&](int view) {
    return bands_of_view(geometry.rows(), geometry.columns(), line_integrals, view);
  };
  std::vector<MirrorMatch> matches;
  for (const auto& [i, k] : opposite_pairs(geometry, most_pairs))
    matches.push_back(mirror_match(bands(i), bands(k), geometry.columns()));
  if (matches.empty())
    for (const OppositePlace& place : opposite_places(geometry, most_pairs)) {
      std::vector<double> opposite = bands(place.before);
      const std::vector<double> after = bands(place.after);
      for (std::size_t i = 0; i < opposite.size(); ++i)
        opposite[i] = std::lerp(opposite[i], after[i], place.part);
      matches.push_back(mirror_match(bands(place.view), opposite, geometry.columns()));
    }
  if (matches.empty()) return centre_from_half_turn_ends(geometry, line_integrals);
  std::vector<double> columns;
  CentreEstimate estimate;
  for (const MirrorMatch& found : matches) {
    columns.push_back(found.column);
    estimate.mismatch += found.mismatch / static_cast<double>(matches.size());
  }
  if (estimate.mismatch > 0.5) return std::nullopt;
  std::ranges::sort(columns);
  const std::size_t count = columns.size();
  estimate.pairs = static_cast<int>(count);
  estimate.column = 0.5 * (columns[(count - 1) / 2] + columns[count / 2]);
  double square = 0;
  for (const double column : columns)
    square += (column - estimate.column) * (column - estimate.column);
  estimate.spread = std::sqrt(square / static_cast<double>(count));
  return estimate;
}

}  // namespace gantry
