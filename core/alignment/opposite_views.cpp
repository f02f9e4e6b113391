#include "core/alignment/opposite_views.hpp"

#include "core/alignment/half_turn_ends.hpp"
#include "core/alignment/mirrored_lines.hpp"
#include "core/alignment/mirrored_views.hpp"
#include "core/alignment/view_circle.hpp"
#include "core/base/error.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

namespace gantry {

namespace {

constexpr std::size_t most_pairs = 256, most_lines = 2048;
/// Where the pairs are of all directions, a small part of the columns tells the axis. A few views
/// that see only one side of the object may fit by chance in a small part.
constexpr std::size_t fewest_of_turn = 16;
constexpr double least_arc_of_turn = 1.5 * pi;
constexpr double least_overlap = 0.25, least_overlap_of_turn = 0.04;
constexpr double most_mismatch = 0.5;
constexpr double most_of_other = 0.7;  // of the mismatch of any other axis

/// Returns every n-th of some lines, as many as are allowed, each the mean of n: [line][column].
std::vector<double> joined(const std::vector<double>& lines, int columns, std::size_t most) {
  const auto width = static_cast<std::size_t>(columns);
  const std::size_t count = lines.size() / width, wanted = std::min(count, most);
  std::vector<double> sums(wanted * width);
  for (std::size_t line = 0; line < count; ++line)
    for (std::size_t c = 0; c < width; ++c)
      sums[line * wanted / count * width + c] += lines[line * width + c];
  return sums;
}

/// The views that have an opposite, and these.
struct Opposites {
  std::size_t pairs = 0;
  MirroredLines lines;
};

Opposites opposites_of(const ScanGeometry& geometry, std::span<const float> line_integrals,
                       Compared compared) {
  Opposites all{0, MirroredLines(geometry.columns())};
  const auto pairs = opposite_pairs(geometry, most_pairs);
  const auto places =
      pairs.empty() ? opposite_places(geometry, most_pairs) : std::vector<OppositePlace>{};
  all.pairs = pairs.size() + places.size();
  const std::size_t most = most_lines / std::max<std::size_t>(all.pairs, 1);
  const auto bands = [&](int view) {
    return joined(bands_of_view(geometry.rows(), geometry.columns(), line_integrals, view),
                  geometry.columns(), most);
  };
  const auto add = [&](std::vector<double> one, std::vector<double> other) {
    if (compared == Compared::changes) take_difference(one, other);
    all.lines.add(one, other);
  };
  for (const auto& [i, k] : pairs) add(bands(i), bands(k));
  for (const OppositePlace& place : places) {
    std::vector<double> opposite = bands(place.before);
    const std::vector<double> after = bands(place.after);
    for (std::size_t i = 0; i < opposite.size(); ++i)
      opposite[i] = std::lerp(opposite[i], after[i], place.part);
    add(bands(place.view), std::move(opposite));
  }
  return all;
}

std::optional<CentreEstimate> centre_of(const ScanGeometry& geometry,
                                        std::span<const float> line_integrals, Compared compared) {
  if (line_integrals.size() != geometry.rays())
    throw ShapeError("the line integrals are not those of the geometry");
  if (geometry.beam() != Beam::parallel || !geometry.rotates()) return std::nullopt;
  const Opposites opposites = opposites_of(geometry, line_integrals, compared);
  if (opposites.pairs == 0) return centre_from_half_turn_ends(geometry, line_integrals, compared);
  const bool is_turn = opposites.pairs >= fewest_of_turn &&
                       ViewCircle(geometry.spec()).covered_rad() >= least_arc_of_turn;
  const auto axis = opposites.lines.axis(is_turn ? least_overlap_of_turn : least_overlap);
  if (!axis || axis->mismatch > most_mismatch) return std::nullopt;
  if ((is_turn || compared == Compared::changes) &&
      axis->mismatch > most_of_other * axis->other_mismatch)
    return std::nullopt;
  CentreEstimate estimate{.column = axis->column,
                          .pairs = static_cast<int>(opposites.pairs),
                          .spread = axis->error,
                          .mismatch = axis->mismatch};
  if (compared == Compared::changes)
    estimate.basis = "what changes between " + std::to_string(opposites.pairs) +
                     (opposites.pairs == 1 ? " pair" : " pairs") + " of views half a turn apart";
  return estimate;
}

}  // namespace

std::optional<CentreEstimate> centre_from_opposite_views(const ScanGeometry& geometry,
                                                         std::span<const float> line_integrals) {
  return centre_of(geometry, line_integrals, Compared::values);
}

std::optional<CentreEstimate> centre_from_opposite_changes(const ScanGeometry& geometry,
                                                           std::span<const float> line_integrals) {
  return centre_of(geometry, line_integrals, Compared::changes);
}

}  // namespace gantry
