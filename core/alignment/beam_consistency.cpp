#include "core/alignment/beam_consistency.hpp"

#include "core/alignment/even_views.hpp"
#include "core/base/error.hpp"
#include "core/base/for_lines.hpp"
#include "core/base/least_value.hpp"
#include "core/geometry/fan_angle.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

namespace gantry {

namespace {

constexpr int fewest = 16;  // columns, views
constexpr double least_arc_rad = 0.5 * pi;
constexpr double edge_part = 0.01;     // of the columns on each side, which must see air
constexpr double most_at_edge = 0.03;  // mean of such a column over the largest mean of a column
constexpr double least_psi_rad = 0.2;  // between a ray and the line through both positions
constexpr double largest_pair_rad = 0.95 * pi, pair_part_of_arc = 0.75;
constexpr int pair_angles = 5;
constexpr double smallest_pair = 0.5;  // of the largest
constexpr int coarse_steps = 24, coarse_planes = 8;
constexpr double most_mismatch = 0.5, most_spread = 0.5;
constexpr std::size_t parts = 8;  // of the views, each of which is left out once

/// Returns whether the first and last columns see air.
bool sees_air_beside(const EvenViews& views) {
  std::vector<double> means(static_cast<std::size_t>(views.columns));
  for (int row = 0; row < views.rows; ++row)
    for (int column = 0; column < views.columns; ++column)
      for (int view = 0; view < views.views; ++view)
        means[static_cast<std::size_t>(column)] += views.cell(row, column)[view];
  const double most = most_at_edge * std::ranges::max(means);
  const auto edge = static_cast<std::ptrdiff_t>(std::ceil(edge_part * views.columns));
  const auto is_air = [&](auto first) {
    double sum = 0;
    for (auto value = first; value != first + edge; ++value) sum += *value;
    return std::abs(sum) <= most * static_cast<double>(edge);
  };
  return most > 0 && is_air(means.begin()) && is_air(means.rbegin());
}

/// The weights of the cells of a view in the integral over one plane, which takes two neighbouring
/// cells of each column.
struct PlaneWeights {
  std::vector<int> row;             ///< [column] the lower of two rows
  std::vector<float> lower, upper;  ///< [column]
};

/// The planes through two positions of the source, an angle apart on the circle, as the first and
/// the second view of such a pair see them. The height of a plane is where it meets the central
/// column, in units of the distance from source to detector.
class PairOfViews {
 public:
  PairOfViews(const ScanSpec& spec, const EvenViews& views, double angle_rad)
      : spec_(spec), views_(views), tan_(std::tan(0.5 * angle_rad)) {}

  /// Returns the weights of the plane that meets the central column at `row`, in the first (side 1)
  /// or second view (side -1); nothing where one of its rays misses the detector.
  std::optional<PlaneWeights> weights(double centre, double row, int side) const {
    PlaneWeights plane;
    const double rows_per_height = spec_.source_to_detector_mm / views_.row_pitch_mm,
                 height = (row - views_.central_row) / rows_per_height;
    double before = potential(fan_angle(side * (-0.5 - centre)), height);
    for (int column = 0; column < views_.columns; ++column) {
      const double fan = fan_angle(side * (column - centre)),
                   scale = spec_.detector == DetectorShape::arc ? std::cos(fan) : 1,
                   at = views_.central_row + rows_per_height * scale * height_at(fan, height),
                   after = potential(fan_angle(side * (column + 0.5 - centre)), height),
                   weight = std::abs(after - before);
      if (!(at >= -0.5 && at <= views_.rows - 0.5)) return std::nullopt;
      const double inside = std::clamp(at, 0.0, views_.rows - 1.0);
      const int low = std::clamp(static_cast<int>(inside), 0, std::max(views_.rows - 2, 0));
      plane.row.push_back(low);
      plane.lower.push_back(static_cast<float>(weight * (low + 1 - inside)));
      plane.upper.push_back(static_cast<float>(weight * (inside - low)));
      before = after;
    }
    return plane;
  }

 private:
  double fan_angle(double columns) const {
    return fan_angle_rad(spec_, columns * views_.column_pitch_mm);
  }
  /// Returns the height at which the plane meets a flat detector at distance 1 from the source.
  /// Seen from one position of the source, the other one lies in the plane of rotation in the
  /// direction of tan(fan) = 1 / tan(half the angle).
  double height_at(double fan, double height) const {
    return spec_.beam == Beam::cone ? height * (1 - std::tan(fan) * tan_) : height;
  }
  /// Returns artanh(cos psi), whose derivative is -1 / sin psi. The rays of a fan are level.
  double potential(double fan, double height) const {
    const double along = std::tan(fan), up = spec_.beam == Beam::cone ? height_at(fan, height) : 0;
    return std::atanh((along + tan_) /
                      std::sqrt((1 + tan_ * tan_) * (1 + along * along + up * up)));
  }

  const ScanSpec& spec_;
  const EvenViews& views_;
  double tan_;
};

/// Squared differences of pairs of integrals, and their squared values.
struct Sums {
  double difference = 0, square = 0;

  void operator+=(const Sums& other) {
    difference += other.difference;
    square += other.square;
  }
  double relative() const { return square > 0 ? difference / square : 1; }
};

/// Sums over all pairs of views, and over those pairs that lack a part of the views: their spread
/// gives the standard error (jackknife). A view is in many pairs, so that sums over parts of the
/// pairs would not be independent.
struct PartSums {
  Sums all;
  std::array<Sums, parts> without;

  void operator+=(const PartSums& other) {
    all += other.all;
    for (std::size_t part = 0; part < parts; ++part) without[part] += other.without[part];
  }
};

class Consistency {
 public:
  Consistency(const ScanSpec& spec, const EvenViews& views, const Interrupt* interrupt)
      : spec_(spec), views_(views), interrupt_(interrupt) {}

  /// Chooses pairs of views, and planes that lie on the detector, for axes from low to high;
  /// returns false where there are none.
  bool choose(double low, double high, int most_planes) {
    const double widest = std::max(high, views_.columns - 1 - low) + 0.5,
                 fan_rad = fan_angle_rad(spec_, widest * views_.column_pitch_mm),
                 largest = std::min({pi - 2 * (fan_rad + least_psi_rad), largest_pair_rad,
                                     pair_part_of_arc * views_.step_rad * views_.views});
    steps_.clear();
    for (int i = 0; i < pair_angles; ++i) {
      const double part = smallest_pair + (1 - smallest_pair) * i / (pair_angles - 1.0);
      const int steps = static_cast<int>(part * largest / views_.step_rad);
      if (steps > 0 && (steps_.empty() || steps_.back() != steps)) steps_.push_back(steps);
    }
    std::vector<double> rows;
    if (views_.rows == 1) rows = {spec_.beam == Beam::cone ? views_.central_row : 0.0};
    for (int row = 0; row < views_.rows && views_.rows > 1; ++row) rows.push_back(row);
    std::erase_if(rows, [&](double row) { return !is_on_detector(low, high, row); });
    const auto most = static_cast<std::size_t>(most_planes),
               every = std::max<std::size_t>((rows.size() + most - 1) / most, 1);
    rows_.clear();
    for (std::size_t i = rows.size() % every / 2; i < rows.size(); i += every)
      rows_.push_back(rows[i]);
    return !steps_.empty() && !rows_.empty();
  }

  int pairs() const {
    int all = 0;
    for (const int steps : steps_) all += static_cast<int>(firsts(steps).size());
    return all;
  }

  PartSums compare(double centre) const {
    std::vector<PartSums> of(steps_.size() * rows_.size());
    for_lines(static_cast<std::ptrdiff_t>(of.size()), interrupt_, [&](std::ptrdiff_t i) {
      const auto index = static_cast<std::size_t>(i);
      of[index] = compare(centre, steps_[index / rows_.size()], rows_[index % rows_.size()]);
    });
    PartSums all;
    for (const PartSums& some : of) all += some;
    return all;
  }

 private:
  PairOfViews pair(int steps) const { return {spec_, views_, steps * views_.step_rad}; }
  std::size_t partner(std::size_t first, int steps) const {
    return (first + static_cast<std::size_t>(steps)) % static_cast<std::size_t>(views_.views);
  }
  /// Returns the first view of each pair.
  std::vector<std::size_t> firsts(int steps) const {
    const int count = views_.is_closed ? views_.views : views_.views - steps;
    std::vector<std::size_t> all;
    for (std::size_t i = 0; i < static_cast<std::size_t>(std::max(count, 0)); ++i)
      if (views_.is_measured[i] && views_.is_measured[partner(i, steps)]) all.push_back(i);
    return all;
  }

  bool is_on_detector(double low, double high, double row) const {
    return std::ranges::all_of(steps_, [&](int steps) {
      const PairOfViews of = pair(steps);
      return of.weights(low, row, 1) && of.weights(low, row, -1) && of.weights(high, row, 1) &&
             of.weights(high, row, -1);
    });
  }

  std::vector<float> integrals(const PlaneWeights& plane) const {
    std::vector<float> sums(static_cast<std::size_t>(views_.views));
    for (int column = 0; column < views_.columns; ++column) {
      const auto c = static_cast<std::size_t>(column);
      const float* from = views_.cell(plane.row[c], column);
      const float* above = views_.cell(std::min(plane.row[c] + 1, views_.rows - 1), column);
      const float lower = plane.lower[c], upper = plane.upper[c];
      for (std::size_t view = 0; view < sums.size(); ++view)
        sums[view] += lower * from[view] + upper * above[view];
    }
    return sums;
  }

  PartSums compare(double centre, int steps, double row) const {
    const PairOfViews of = pair(steps);
    const auto first = of.weights(centre, row, 1), second = of.weights(centre, row, -1);
    if (!first || !second) return {};
    double noise = 0;  // of a difference, if all cells had the same
    for (const PlaneWeights* plane : {&*first, &*second})
      for (std::size_t c = 0; c < plane->row.size(); ++c)
        noise += std::pow(plane->lower[c] + plane->upper[c], 2);
    const std::vector<float> one = integrals(*first), other = integrals(*second);
    const auto part_of = [this](std::size_t view) {
      return view * parts / static_cast<std::size_t>(views_.views);
    };
    PartSums sums;
    for (const std::size_t begin : firsts(steps)) {
      const std::size_t end = partner(begin, steps), part_of_begin = part_of(begin),
                        part_of_end = part_of(end);
      const double a = one[begin], b = other[end];
      const Sums of_pair{(a - b) * (a - b) / noise, (a * a + b * b) / noise};
      sums.all += of_pair;
      for (std::size_t part = 0; part < parts; ++part)
        if (part != part_of_begin && part != part_of_end) sums.without[part] += of_pair;
    }
    return sums;
  }

  const ScanSpec& spec_;
  const EvenViews& views_;
  const Interrupt* interrupt_;
  std::vector<int> steps_;    // from the first to the second view of a pair
  std::vector<double> rows_;  // of the planes
};

struct Least {
  double column = 0, mismatch = 1, spread = 0;
};

/// Searches the middle half of the columns; returns nothing where the first or last one is best.
std::optional<Least> search(Consistency& consistency, int columns) {
  const double low = 0.25 * (columns - 1), step = 0.5 * (columns - 1) / coarse_steps;
  if (!consistency.choose(low, low + coarse_steps * step, coarse_planes)) return std::nullopt;
  std::vector<double> values;
  for (int i = 0; i <= coarse_steps; ++i)
    values.push_back(consistency.compare(low + i * step).all.relative());
  const LeastValue least = least_value(values);
  if (!least.minimum) return std::nullopt;
  return Least{low + step * least.refined_index(),
               relative_to_median(least.value, std::move(values))};
}

/// Moves the column to the minimum of the parabola through it and the columns so far beside it.
bool refine(Consistency& consistency, double width, Least& least) {
  if (!consistency.choose(least.column - width, least.column + width, EvenViewLimits{}.rows))
    return false;
  const PartSums before = consistency.compare(least.column - width),
                 here = consistency.compare(least.column),
                 after = consistency.compare(least.column + width);
  const auto column = [&](const Sums& left, const Sums& middle, const Sums& right) {
    return least.column +
           width * minimum_of_parabola(left.relative(), middle.relative(), right.relative()).offset;
  };
  std::array<double, parts> columns{};
  for (std::size_t part = 0; part < parts; ++part)
    columns[part] = column(before.without[part], here.without[part], after.without[part]);
  const double mean = std::reduce(columns.begin(), columns.end()) / parts;
  double square = 0;
  for (const double one : columns) square += (one - mean) * (one - mean);
  least.column = column(before.all, here.all, after.all);
  least.spread = std::sqrt(square * (parts - 1) / parts);
  return true;
}

}  // namespace

std::optional<CentreEstimate> centre_from_beam_consistency(const ScanGeometry& geometry,
                                                           std::span<const float> line_integrals,
                                                           const Interrupt* interrupt) {
  if (line_integrals.size() != geometry.rays())
    throw ShapeError("the line integrals are not those of the geometry");
  if (geometry.beam() == Beam::parallel || geometry.columns() < fewest) return std::nullopt;
  const auto views = even_views(geometry, line_integrals);
  if (!views || views->views < fewest || views->step_rad * views->views < least_arc_rad ||
      !sees_air_beside(*views))
    return std::nullopt;
  Consistency consistency(geometry.spec(), *views, interrupt);
  auto least = search(consistency, views->columns);
  if (!least || !(least->mismatch <= most_mismatch)) return std::nullopt;
  for (const double width : {0.02 * views->columns, 2.0})
    if (!refine(consistency, width, *least)) return std::nullopt;
  const double spread = views->column_bin * least->spread;
  if (!(spread <= most_spread)) return std::nullopt;
  const int pairs = consistency.pairs();
  return CentreEstimate{
      .column = views->detector_column(least->column),
      .pairs = pairs,
      .spread = spread,
      .mismatch = least->mismatch,
      .basis = "what " + std::to_string(pairs) + " pairs of views have in common"};
}

}  // namespace gantry
