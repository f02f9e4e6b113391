#include "core/alignment/mirrored_views.hpp"

#include "core/alignment/view_circle.hpp"
#include "core/base/error.hpp"
#include "core/base/median.hpp"
#include "core/base/parabola.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

namespace gantry {

namespace {

constexpr double least_overlap = 0.25;  // of the columns
constexpr int most_bands = 16;

/// Returns the squared difference of a and b, mirrored so that column c meets column sum - c,
/// relative to their squared deviations from the mean of each line. Deviations are used and not
/// values, so that the mismatch is large where only air, and hence noise, overlaps.
double mismatch(std::span<const double> a, std::span<const double> b, int columns, int sum) {
  const int first = std::max(0, sum - (columns - 1)), last = std::min(columns - 1, sum);
  double difference = 0, square = 0;
  for (std::size_t line = 0; line < a.size(); line += static_cast<std::size_t>(columns)) {
    const double *p = a.data() + line, *q = b.data() + line;
    double total = 0, total_square = 0;
    for (int c = first; c <= last; ++c) {
      const double d = p[c] - q[sum - c];
      difference += d * d;
      total += p[c] + q[sum - c];
      total_square += p[c] * p[c] + q[sum - c] * q[sum - c];
    }
    square += std::max(0.0, total_square - total * total / (2.0 * (last - first + 1)));
  }
  return square > 0 ? difference / square : 1;
}

/// Returns the index of the lowest local minimum. The ends do not count, because the mismatch of
/// air falls towards the ends, where less and less of it overlaps.
std::optional<std::size_t> lowest_hollow(std::span<const double> values) {
  std::optional<std::size_t> lowest;
  for (std::size_t i = 1; i + 1 < values.size(); ++i) {
    const bool is_hollow = values[i] < values[i - 1] && values[i] <= values[i + 1];
    if (is_hollow && (!lowest || values[i] < values[*lowest])) lowest = i;
  }
  return lowest;
}

/// Returns the angle of view k beyond the opposite of view i.
double beyond_opposite(const ScanGeometry& geometry, int i, int k) {
  return std::remainder(geometry.angle_rad(k) - geometry.angle_rad(i) - pi, 2 * pi);
}

template <typename Value>
std::vector<Value> spread_over(const std::vector<Value>& all, std::size_t most) {
  if (all.size() <= most) return all;
  std::vector<Value> some;
  for (std::size_t n = 0; n < most; ++n) some.push_back(all[n * all.size() / most]);
  return some;
}

}  // namespace

bool may_tell_mirror_axis(const ScanGeometry& geometry, std::span<const float> line_integrals) {
  if (line_integrals.size() != geometry.rays())
    throw ShapeError("the line integrals are not those of the geometry");
  return geometry.beam() == Beam::parallel && geometry.rotates() &&
         geometry.columns() >= fewest_mirrored && geometry.views() >= fewest_mirrored;
}

std::vector<double> bands_of_view(int rows, int columns, std::span<const float> line_integrals,
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

void take_difference(std::span<double> one, std::span<double> other) {
  for (std::size_t i = 0; i < one.size(); ++i) {
    one[i] -= other[i];
    other[i] = -one[i];
  }
}

std::vector<std::pair<int, int>> opposite_pairs(const ScanGeometry& geometry, std::size_t most) {
  const double tolerance = 0.2 * ViewCircle(geometry.spec()).usual_step();
  std::vector<std::pair<int, int>> pairs;
  for (int i = 0; i < geometry.views(); ++i)
    for (int k = i + 1; k < geometry.views(); ++k)
      if (std::abs(beyond_opposite(geometry, i, k)) <= tolerance) pairs.emplace_back(i, k);
  return spread_over(pairs, most);
}

std::vector<OppositePlace> opposite_places(const ScanGeometry& geometry, std::size_t most) {
  const ViewCircle circle(geometry.spec());
  std::vector<OppositePlace> places;
  for (std::size_t place = 0; place < circle.count(); ++place) {
    const auto opposite = circle.around(circle.angle(place) + pi);
    if (opposite && opposite->before != opposite->after)
      places.push_back({circle.view(place), circle.view(opposite->before),
                        circle.view(opposite->after), opposite->part});
  }
  return spread_over(places, most);
}

MirrorMatch mirror_match(std::span<const double> a, std::span<const double> b, int columns) {
  const int overlap = static_cast<int>(std::ceil(least_overlap * columns)), first = overlap - 1,
            last = 2 * columns - 1 - overlap;
  std::vector<double> of_sum;
  for (int sum = first; sum <= last; ++sum) of_sum.push_back(mismatch(a, b, columns, sum));
  const auto at = lowest_hollow(of_sum);
  if (!at) return {};
  const ParabolaMinimum minimum =
      minimum_of_parabola(of_sum[*at - 1], of_sum[*at], of_sum[*at + 1]);
  return {0.5 * (first + static_cast<double>(*at) + minimum.offset),
          std::max(0.0, of_sum[*at] - minimum.below), upper_median(of_sum)};
}

}  // namespace gantry
