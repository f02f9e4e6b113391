#include "core/alignment/opposite_views.hpp"

#include "core/alignment/mirrored_views.hpp"
#include "core/base/error.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace gantry {

namespace {

constexpr std::size_t most_pairs = 8;
constexpr int most_bands = 16;

/// Returns a view with its rows averaged in bands, which is enough to compare views:
/// [band][column].
std::vector<double> bands_of(int rows, int columns, std::span<const float> line_integrals,
                             int view) {
  const int bands = std::min(most_bands, rows);
  std::vector<double> sums(static_cast<std::size_t>(bands) * static_cast<std::size_t>(columns));
  const float* from = line_integrals.data() + std::ptrdiff_t{view} * rows * columns;
  for (int row = 0; row < rows; ++row) {
    double* band = sums.data() + std::ptrdiff_t{row} * bands / rows * columns;
    for (int c = 0; c < columns; ++c) band[c] += from[std::ptrdiff_t{row} * columns + c];
  }
  return sums;
}

/// Returns the lines as their mirror images.
std::vector<double> mirrored(std::vector<double> lines, int columns) {
  for (auto line = lines.begin(); line != lines.end(); line += columns)
    std::reverse(line, line + columns);
  return lines;
}

}  // namespace

std::optional<CentreEstimate> centre_from_opposite_views(const ScanGeometry& geometry,
                                                         std::span<const float> line_integrals) {
  if (line_integrals.size() != geometry.rays())
    throw ShapeError("the line integrals are not those of the geometry");
  if (geometry.beam() != Beam::parallel || !geometry.rotates()) return std::nullopt;
  const auto pairs = opposite_pairs(geometry, most_pairs);
  if (pairs.empty()) return std::nullopt;
  const auto bands = [&](int view) {
    return bands_of(geometry.rows(), geometry.columns(), line_integrals, view);
  };
  std::vector<double> columns;
  CentreEstimate estimate;
  for (const auto& [i, k] : pairs) {
    const MirrorMatch found = mirror_match(bands(i), bands(k), geometry.columns());
    columns.push_back(found.column);
    estimate.mismatch += found.mismatch / static_cast<double>(pairs.size());
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

std::optional<double> arc_of_end_views(int views, int rows, int columns,
                                       std::span<const float> line_integrals) {
  constexpr int fewest_views = 16;
  constexpr double most_times = 3;  // of the difference of neighbours
  if (views < fewest_views) return std::nullopt;
  const auto bands = [&](int view) { return bands_of(rows, columns, line_integrals, view); };
  // Views may be displaced against each other: what is compared is their form.
  const auto differ = [&](int a, int b) {
    return mirror_match(bands(a), mirrored(bands(b), columns), columns).mismatch;
  };
  const double step = 0.5 * (differ(0, 1) + differ(views - 2, views - 1)),
               turned = mirror_match(bands(0), bands(views - 1), columns).mismatch,
               same = differ(0, views - 1);
  const double unlike = most_times * step;
  if (std::min(turned, same) > unlike) return std::nullopt;
  // Views that fit both as they are and mirrored are symmetric, and say nothing.
  constexpr double like = 5e-5;  // what placing between columns leaves
  if (std::max(turned, same) <= std::max(unlike, like)) return std::nullopt;
  return turned <= same ? 180.0 : 360.0;
}

}  // namespace gantry
