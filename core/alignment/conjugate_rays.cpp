#include "core/alignment/conjugate_rays.hpp"

#include "core/alignment/view_circle.hpp"
#include "core/base/binomial_filter.hpp"
#include "core/base/error.hpp"
#include "core/base/least_value.hpp"
#include "core/geometry/fan_angle.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace gantry {

namespace {

constexpr int most_bands = 8;          // of the rows of a fan beam
constexpr int groups = 4;              // of views, for the spread of the column
constexpr double least_part = 0.02;    // of the columns beyond the axis
constexpr double least_square = 0.01;  // of the mean square of all values: less is air
constexpr double most_mismatch = 0.1;
constexpr int coarse_columns = 512, coarse_views = 64, fine_views = 256;
constexpr double most_of_other =
    0.7;  // of the mismatch of any other axis, where changes are compared
/// Passes of a binomial filter along the columns. Values between columns are interpolated later;
/// without smoothing this would lower the noise by an amount that depends on the fraction of a
/// column, and hence favour some fractions.
constexpr int smoothing = 4;

/// The views in the order of their angles, 0 to 2 pi, with rows averaged in bands and smoothed.
class Views {
 public:
  Views(const ScanGeometry& geometry, std::span<const float> line_integrals, Compared compared)
      : columns_(geometry.columns()), circle_(geometry.spec()) {
    const int rows = geometry.rows();
    int first = 0, count = rows;
    if (geometry.beam() == Beam::cone) {
      first = static_cast<int>(std::lround(geometry.spec().central_row)) - 1;
      count = std::min(first + 3, rows) - std::max(first, 0);
      first = std::max(first, 0);
    }
    if (count <= 0) return;
    bands_ = geometry.beam() == Beam::cone ? 1 : std::min(most_bands, count);
    values_.assign(circle_.count() * static_cast<std::size_t>(bands_) * width(), 0);
    for (std::size_t i = 0; i < circle_.count(); ++i) {
      const float* from = line_integrals.data() +
                          std::ptrdiff_t{circle_.view(i)} * rows * columns_ + first * columns_;
      for (int row = 0; row < count; ++row) {
        const std::span<float> to = mutable_band(i, row * bands_ / count);
        for (std::size_t c = 0; c < width(); ++c) to[c] += from[std::size_t(row) * width() + c];
      }
      for (int b = 0; b < bands_; ++b) binomial_filter_with_slopes(mutable_band(i, b), smoothing);
    }
    if (compared == Compared::changes) take_off_means();
    for (const float value : values_) mean_square_ += double{value} * value;
    mean_square_ /= static_cast<double>(std::max<std::size_t>(values_.size(), 1));
  }

  const ViewCircle& circle() const { return circle_; }
  int count() const { return static_cast<int>(circle_.count()); }
  int columns() const { return columns_; }
  int bands() const { return bands_; }
  double mean_square() const { return mean_square_; }
  const float* band(std::size_t view, int band) const {
    return values_.data() + (view * static_cast<std::size_t>(bands_) + std::size_t(band)) * width();
  }

 private:
  std::size_t width() const { return static_cast<std::size_t>(columns_); }
  /// Subtracts from each value the mean of all views.
  void take_off_means() {
    const std::size_t of_view = static_cast<std::size_t>(bands_) * width();
    std::vector<double> means(of_view);
    for (std::size_t i = 0; i < values_.size(); ++i) means[i % of_view] += values_[i];
    for (double& mean : means) mean /= static_cast<double>(circle_.count());
    for (std::size_t i = 0; i < values_.size(); ++i)
      values_[i] = static_cast<float>(values_[i] - means[i % of_view]);
  }
  std::span<float> mutable_band(std::size_t view, int band) {
    const std::size_t index = view * static_cast<std::size_t>(bands_) + std::size_t(band);
    return std::span(values_).subspan(index * width(), width());
  }

  int columns_, bands_ = 0;
  double mean_square_ = 0;
  ViewCircle circle_;
  std::vector<float> values_;  // [view][band][column]
};

/// Squared differences of pairs of rays, and their squared values.
struct Sums {
  double difference = 0, square = 0;
  std::size_t count = 0;

  void add(const Sums& more) {
    difference += more.difference;
    square += more.square;
    count += more.count;
  }
  /// Returns the relative mismatch; 1 where there are too few pairs, or only air.
  double mismatch(double mean_square) const {
    const double air = 2 * least_square * mean_square * static_cast<double>(count);
    if (count == 0 || !(square > air)) return 1;
    return difference / square;
  }
};

/// The pairs of rays of one column and band.
class ColumnSums {
 public:
  void add(double here, double there) {
    difference_ += here - there;
    here_ += here;
    there_ += there;
    all_.difference += (here - there) * (here - there);
    all_.square += here * here + there * there;
    ++all_.count;
  }
  /// Returns the sums of the values, or of their deviations from the means over the views.
  Sums sums(Compared compared) const {
    if (compared == Compared::values || all_.count == 0) return all_;
    const auto n = static_cast<double>(all_.count);
    return {std::max(0.0, all_.difference - difference_ * difference_ / n),
            std::max(0.0, all_.square - (here_ * here_ + there_ * there_) / n), all_.count};
  }

 private:
  Sums all_;
  double difference_ = 0, here_ = 0, there_ = 0;
};

class Comparison {
 public:
  Comparison(const ScanGeometry& geometry, std::span<const float> line_integrals, Compared compared)
      : spec_(geometry.spec()), compared_(compared), views_(geometry, line_integrals, compared) {}

  const Views& views() const { return views_; }
  /// Compares the rays of every step-th view from the first, and of every stride-th column.
  Sums compare(double centre, int first, int step, int stride) const {
    Sums sums;
    const ViewCircle& circle = views_.circle();
    const int columns = views_.columns();
    const int low = std::max(0, static_cast<int>(std::ceil(2 * centre - (columns - 1)))),
              high = std::min(columns - 1, static_cast<int>(std::floor(2 * centre)));
    for (int column = low; column <= high; column += stride) {
      const double other = 2 * centre - column,
                   fan = fan_angle_rad(spec_, (column - centre) * spec_.column_pitch_mm);
      const int left = std::min(static_cast<int>(other), columns - 2);
      const auto part = static_cast<float>(other - left);
      std::vector<ColumnSums> of_band(static_cast<std::size_t>(views_.bands()));
      for (int view = first; view < views_.count(); view += step) {
        const auto at = circle.around(circle.angle(static_cast<std::size_t>(view)) + pi - 2 * fan);
        if (!at) continue;
        for (int band = 0; band < views_.bands(); ++band) {
          const auto value = [&](std::size_t of_view) {
            const float* line = views_.band(of_view, band) + left;
            return line[0] + part * (line[1] - line[0]);
          };
          const float here = views_.band(static_cast<std::size_t>(view), band)[column],
                      before = value(at->before),
                      there = before + at->part * (value(at->after) - before);
          of_band[static_cast<std::size_t>(band)].add(here, there);
        }
      }
      for (const ColumnSums& one : of_band) sums.add(one.sums(compared_));
    }
    return sums;
  }

 private:
  const ScanSpec& spec_;
  Compared compared_;
  Views views_;
};

struct Least {
  double column = 0, mismatch = 1;
  double other = 1;  ///< the mismatch of the best of the local minima beside it
};

/// Returns the lowest local minimum that is not next to the least value; 1 where there is none.
double other_minimum(const std::vector<double>& values, double least) {
  double lowest = 1;
  for (std::size_t i = 1; i + 1 < values.size(); ++i)
    if (std::abs(static_cast<double>(i) - least) > 2 && values[i] < values[i - 1] &&
        values[i] <= values[i + 1])
      lowest = std::min(lowest, values[i]);
  return lowest;
}

/// Returns the column of least mismatch from first in `count` steps, by some of the views.
Least search(const Comparison& comparison, double first, double step, int count, int first_view,
             int view_step, int stride) {
  std::vector<double> values(static_cast<std::size_t>(count));
#pragma omp parallel for schedule(dynamic)
  for (int i = 0; i < count; ++i)
    values[static_cast<std::size_t>(i)] =
        comparison.compare(first + i * step, first_view, view_step, stride)
            .mismatch(comparison.views().mean_square());
  const LeastValue least = least_value(values);
  return {first + step * least.refined_index(), least.value, other_minimum(values, least.index)};
}

std::optional<CentreEstimate> centre_of(const ScanGeometry& geometry,
                                        std::span<const float> line_integrals,
                                        std::optional<double> near, Compared compared) {
  if (line_integrals.size() != geometry.rays())
    throw ShapeError("the line integrals are not those of the geometry");
  const int columns = geometry.columns(), views = geometry.views();
  if (geometry.beam() == Beam::parallel || geometry.spec().trajectory != Trajectory::circular ||
      columns < 16 || views < 16)
    return std::nullopt;
  const Comparison comparison(geometry, line_integrals, compared);
  if (comparison.views().bands() == 0) return std::nullopt;
  const double step = std::max(1.0, columns / static_cast<double>(coarse_columns)),
               first = least_part * columns;
  const int stride = std::max(1, columns / (coarse_columns / 2));
  const Least coarse =
      near ? Least{*near, 0}
           : search(comparison, first, step, static_cast<int>((columns - 1 - 2 * first) / step) + 1,
                    0, std::max(1, views / coarse_views), stride);
  if (coarse.mismatch > 2 * most_mismatch) return std::nullopt;
  if (compared == Compared::changes && coarse.mismatch > most_of_other * coarse.other)
    return std::nullopt;
  constexpr int fine_steps = 8;  // to each side, of a quarter of the coarse step
  const double from = coarse.column - 0.25 * fine_steps * step;
  const int fine = std::max(1, views / fine_views);
  const auto refined = [&](int first_view, int view_step) {
    return search(comparison, from, 0.25 * step, 2 * fine_steps + 1, first_view, view_step, 1);
  };
  const Least best = refined(0, fine);
  if (best.mismatch > most_mismatch) return std::nullopt;
  CentreEstimate estimate{.column = best.column, .pairs = views / fine, .mismatch = best.mismatch};
  double square = 0;
  for (int group = 0; group < groups; ++group) {
    const double off = refined(group * fine, groups * fine).column - best.column;
    square += off * off / groups;
  }
  estimate.spread = std::sqrt(square);
  if (compared == Compared::changes)
    estimate.basis = "what changes in the rays of " + std::to_string(estimate.pairs) +
                     " views that were measured from both sides";
  return estimate;
}

}  // namespace

std::optional<CentreEstimate> centre_from_conjugate_rays(const ScanGeometry& geometry,
                                                         std::span<const float> line_integrals,
                                                         std::optional<double> near) {
  return centre_of(geometry, line_integrals, near, Compared::values);
}

std::optional<CentreEstimate> centre_from_changing_rays(const ScanGeometry& geometry,
                                                        std::span<const float> line_integrals) {
  return centre_of(geometry, line_integrals, std::nullopt, Compared::changes);
}

}  // namespace gantry
