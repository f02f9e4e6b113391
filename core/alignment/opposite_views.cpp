#include "core/alignment/opposite_views.hpp"

#include "core/base/error.hpp"
#include "core/base/parabola.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>
#include <vector>

namespace gantry {

namespace {

constexpr int most_pairs = 8, most_bands = 16;
constexpr double least_overlap = 0.25;  // of the columns

using Pair = std::pair<int, int>;

/// Returns pairs of views half a turn apart, to a fifth of the distance of neighbouring views.
std::vector<Pair> opposite_pairs(const ScanGeometry& geometry) {
  const int views = geometry.views();
  const double turn = 2 * std::numbers::pi,
               step = std::abs(geometry.angle_rad(views - 1) - geometry.angle_rad(0)) /
                      std::max(1, views - 1);
  std::vector<Pair> pairs;
  for (int i = 0; i < views; ++i)
    for (int k = i + 1; k < views; ++k) {
      const double apart = geometry.angle_rad(k) - geometry.angle_rad(i);
      if (std::abs(std::remainder(apart - std::numbers::pi, turn)) <= 0.2 * step)
        pairs.emplace_back(i, k);
    }
  if (pairs.size() <= most_pairs) return pairs;
  std::vector<Pair> some;
  for (std::size_t n = 0; n < most_pairs; ++n) some.push_back(pairs[n * pairs.size() / most_pairs]);
  return some;
}

/// A view with its rows averaged in bands, which is enough to compare views.
class Bands {
 public:
  Bands(int rows, int columns, std::span<const float> line_integrals, int view)
      : columns_(columns), bands_(std::min(most_bands, rows)) {
    values_.resize(static_cast<std::size_t>(bands_) * static_cast<std::size_t>(columns_));
    const float* from = line_integrals.data() + std::ptrdiff_t{view} * rows * columns;
    for (int row = 0; row < rows; ++row) {
      double* band = values_.data() + std::ptrdiff_t{row} * bands_ / rows * columns_;
      for (int c = 0; c < columns_; ++c) band[c] += from[std::ptrdiff_t{row} * columns_ + c];
    }
  }
  /// Returns the view as its mirror image.
  Bands mirrored() const {
    Bands other = *this;
    for (int index = 0; index < bands_; ++index) {
      const auto band = other.values_.begin() + std::ptrdiff_t{index} * columns_;
      std::reverse(band, band + columns_);
    }
    return other;
  }
  const double* band(int index) const { return values_.data() + std::ptrdiff_t{index} * columns_; }
  int count() const { return bands_; }
  int columns() const { return columns_; }

 private:
  int columns_, bands_;
  std::vector<double> values_;
};

/// Returns the relative squared difference of a view and the other one mirrored so that column c
/// meets column sum - c.
double mismatch(const Bands& a, const Bands& b, int sum) {
  const int first = std::max(0, sum - (a.columns() - 1)), last = std::min(a.columns() - 1, sum);
  double difference = 0, square = 0;
  for (int band = 0; band < a.count(); ++band) {
    const double *p = a.band(band), *q = b.band(band);
    for (int c = first; c <= last; ++c) {
      const double d = p[c] - q[sum - c];
      difference += d * d;
      square += p[c] * p[c] + q[sum - c] * q[sum - c];
    }
  }
  return square > 0 ? difference / square : 1;
}

struct Match {
  double column = 0, mismatch = 1;
};

/// Returns where the mirror image of b fits a best.
Match match(const Bands& a, const Bands& b) {
  const int columns = a.columns(), overlap = static_cast<int>(std::ceil(least_overlap * columns)),
            first = overlap - 1, last = 2 * columns - 1 - overlap;
  std::vector<double> of_sum;
  for (int sum = first; sum <= last; ++sum) of_sum.push_back(mismatch(a, b, sum));
  if (of_sum.empty()) return {};
  const auto least = std::ranges::min_element(of_sum);
  double sum = first + static_cast<double>(least - of_sum.begin()), mismatch = *least;
  if (least != of_sum.begin() && least + 1 != of_sum.end()) {
    const ParabolaMinimum found = minimum_of_parabola(*(least - 1), *least, *(least + 1));
    sum += found.offset;
    mismatch = std::max(0.0, mismatch - found.below);
  }
  return {0.5 * sum, mismatch};
}

}  // namespace

std::optional<CentreEstimate> centre_from_opposite_views(const ScanGeometry& geometry,
                                                         std::span<const float> line_integrals) {
  if (line_integrals.size() != geometry.rays())
    throw ShapeError("the line integrals are not those of the geometry");
  if (geometry.beam() != Beam::parallel || !geometry.rotates()) return std::nullopt;
  const std::vector<Pair> pairs = opposite_pairs(geometry);
  if (pairs.empty()) return std::nullopt;
  const auto bands = [&](int view) {
    return Bands(geometry.rows(), geometry.columns(), line_integrals, view);
  };
  std::vector<double> columns;
  CentreEstimate estimate;
  for (const auto& [i, k] : pairs) {
    const Match found = match(bands(i), bands(k));
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
  const auto bands = [&](int view) { return Bands(rows, columns, line_integrals, view); };
  // Views may be displaced against each other: what is compared is their form.
  const auto differ = [&](int a, int b) { return match(bands(a), bands(b).mirrored()).mismatch; };
  const double step = 0.5 * (differ(0, 1) + differ(views - 2, views - 1)),
               mirrored = match(bands(0), bands(views - 1)).mismatch, same = differ(0, views - 1);
  const double unlike = most_times * step;
  if (std::min(mirrored, same) > unlike) return std::nullopt;
  // Views that fit both as they are and mirrored are symmetric, and say nothing.
  constexpr double like = 5e-5;  // what placing between columns leaves
  if (std::max(mirrored, same) <= std::max(unlike, like)) return std::nullopt;
  return mirrored <= same ? 180.0 : 360.0;
}

}  // namespace gantry
