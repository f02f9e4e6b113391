#include "core/io/imports/checks/assumed_beam.hpp"

#include "core/base/even_samples.hpp"
#include "core/base/median.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>
#include <vector>

namespace gantry {

namespace {

constexpr int groups_along = 32;                        // a row of the detector has so many
constexpr int most_bands = 4, fewest_rows_of_band = 4;  // rows are split into bands
constexpr int fewest_columns = 12;                      // of fewer, the outermost show nothing
constexpr int fewest_of_group = 3;  // columns, of which a single bright one is not the median
constexpr int samples_along = 16;   // of a group, along each side
constexpr float brightest_part = 0.99F, darkest_part = 0.02F;
constexpr double least_contrast = 0.05;  // of the brightest and the darkest, as a line integral

/// Returns the value that the part `part` of the values, of which there are some, is below; of two
/// that are as near to it the lower one. Reorders the values.
float quantile(std::vector<float>& values, float part) {
  const float place = part * static_cast<float>(values.size() - 1);
  const auto at = values.begin() + static_cast<std::ptrdiff_t>(std::ceil(place - 0.5F));
  std::ranges::nth_element(values, at);
  return *at;
}

/// Cells of neighbouring rows and columns, the last ones not included.
struct Group {
  int first_row, last_row, first_column, last_column;
};

/// What a group shows in a view: its median, less the dark, and the standard error of that.
struct Shown {
  float level, error;
};

class Groups {
 public:
  Groups(std::span<const float> values, const FrameSizes& sizes, double dark)
      : values_(values), sizes_(sizes), dark_(static_cast<float>(dark)) {}

  /// Returns what a cell shows, less the dark.
  float cell(int view, int row, int column) const { return value(view, row, column) - dark_; }

  Shown shown(int view, const Group& group) const {
    constexpr float error_of_median = 1.25F;  // over that of the mean, of normal noise
    std::vector<float> cells;
    for (const int row : middle_samples(group.last_row - group.first_row, samples_along))
      for (const int column : middle_samples(group.last_column - group.first_column, samples_along))
        cells.push_back(value(view, group.first_row + row, group.first_column + column));
    const float deviation = 0.5F * (quantile(cells, 0.84F) - quantile(cells, 0.16F));
    return {median_of(cells) - dark_,
            error_of_median * deviation / std::sqrt(static_cast<float>(cells.size()))};
  }

 private:
  float value(int view, int row, int column) const {
    const auto line = std::ptrdiff_t{view} * sizes_.rows + row;
    return values_[static_cast<std::size_t>(line * sizes_.columns + column)];
  }

  std::span<const float> values_;
  FrameSizes sizes_;
  float dark_;
};

/// Finds the level of air at the ends of the rows.
class AirAtEnds {
 public:
  AirAtEnds(const Groups& groups, std::vector<int> views, const FrameSizes& sizes)
      : groups_(groups),
        views_(std::move(views)),
        columns_(sizes.columns),
        width_(columns_ < fewest_columns ? 1 : std::max(fewest_of_group, columns_ / groups_along)) {
    const auto [first_lit, last_lit] = lit_rows(sizes.rows);
    const int rows = last_lit - first_lit,
              bands = std::clamp(rows / fewest_rows_of_band, 1, most_bands);
    for (int band = 0; band < bands; ++band)
      bands_.emplace_back(first_lit + rows * band / bands, first_lit + rows * (band + 1) / bands);
    std::vector<float> levels;
    for (const auto& [first, last] : bands_)
      for (int column = 0; column + width_ <= columns_; column += width_)
        for (const int view : views_)
          levels.push_back(groups_.shown(view, {first, last, column, column + width_}).level);
    brightest_ = quantile(levels, brightest_part);
    const float darkest = std::max(quantile(levels, darkest_part), 1e-6F * brightest_);
    contrast_ = std::log(brightest_ / darkest);
  }

  float brightest() const { return brightest_; }
  int width() const { return width_; }

  /// Returns the median of what the ends show that see air; 0: none does.
  float level() const {
    if (columns_ < fewest_columns || !(brightest_ > 0) || !(contrast_ > least_contrast)) return 0;
    std::vector<float> found;
    for (const auto& [first, last] : bands_)
      for (const int column : {0, columns_ - width_})
        if (const float one = level_of({first, last, column, column + width_}); one > 0)
          found.push_back(one);
    return found.empty() ? 0 : median_of(found);
  }

 private:
  /// Returns the longest run of rows that the beam reaches, the last one not included: rows of
  /// which a tenth is at least half as bright as in the brightest rows. A slit or a collimator may
  /// leave others dark, and the median of a band with such rows would be no level of the beam.
  std::pair<int, int> lit_rows(int rows) const {
    constexpr float bright_part = 0.9F, least_of_brightest = 0.5F;
    constexpr int looked_at = 32, most_brighter = 2;  // rows that are bright by their defects
    const std::vector<int> columns = middle_samples(columns_, looked_at),
                           views = middle_samples(static_cast<int>(views_.size()), looked_at);
    std::vector<float> levels;
    for (int row = 0; row < rows; ++row) {
      std::vector<float> cells;
      for (const int view : views)
        for (const int column : columns)
          cells.push_back(groups_.cell(views_[static_cast<std::size_t>(view)], row, column));
      levels.push_back(quantile(cells, bright_part));
    }
    std::vector<float> sorted = levels;
    const auto brightest = sorted.begin() + std::min(most_brighter, rows / 8);
    std::ranges::nth_element(sorted, brightest, std::greater());
    std::pair<int, int> longest{0, 0};
    for (int first = 0; first < rows; ++first) {
      int last = first;
      while (last < rows &&
             levels[static_cast<std::size_t>(last)] > least_of_brightest * *brightest)
        ++last;
      if (last - first > longest.second - longest.first) longest = {first, last};
      first = last;
    }
    return longest.second > 0 ? longest : std::pair(0, rows);
  }

  /// Returns what a group at an end shows in the views in which it sees air; 0: these are too few,
  /// or what it sees is no air.
  float level_of(const Group& group) const {
    constexpr float steady = 0.01F, errors = 3;
    constexpr double alike = 0.005, most_darker = 0.05, most_part_darker = 0.15;
    std::vector<float> levels, errors_of_levels;
    for (const int view : views_) {
      const Shown shown = groups_.shown(view, group);
      levels.push_back(shown.level);
      errors_of_levels.push_back(shown.error);
    }
    std::vector<float> sorted = levels;
    const float upper = quantile(sorted, 0.75F), noise = median_of(errors_of_levels) / upper;
    const double darker = std::log(brightest_ / upper);
    if (!(darker < std::min(most_darker, most_part_darker * contrast_) + errors * noise)) return 0;
    const float tolerance =
        std::max(steady, static_cast<float>(contrast_) / groups_along) + errors * noise;
    std::vector<float> in_air, outer, inner;
    const int half = width_ / 2;
    const bool is_left = group.first_column == 0;
    Group left = group, right = group;
    left.last_column = left.first_column + half;
    right.first_column = right.last_column - half;
    for (std::size_t i = 0; i < levels.size(); ++i) {
      if (std::abs(levels[i] / upper - 1) > tolerance) continue;
      in_air.push_back(levels[i]);
      outer.push_back(groups_.shown(views_[i], is_left ? left : right).level);
      inner.push_back(groups_.shown(views_[i], is_left ? right : left).level);
    }
    if (2 * in_air.size() <= levels.size()) return 0;
    // At the rim of a round object that fills the rows the line integrals rise twice as fast.
    const double slope = std::log(median_of(outer) / median_of(inner));
    if (std::abs(slope) > std::max(alike, contrast_ * width_ / columns_)) return 0;
    return median_of(in_air);
  }

  const Groups& groups_;
  std::vector<int> views_;
  int columns_, width_;
  std::vector<std::pair<int, int>> bands_;  // first row, behind the last row
  float brightest_ = 0;
  double contrast_ = 0;
};

/// Returns the views that count.
std::vector<int> views_of(const FrameSizes& sizes, std::span<const int> lost,
                          std::span<const int> unlit) {
  std::vector<int> views;
  for (int view = 0; view < sizes.views; ++view)
    if (!std::ranges::binary_search(lost, view) && !std::ranges::binary_search(unlit, view))
      views.push_back(view);
  return views;
}

}  // namespace

AssumedBeam assumed_beam(std::span<const float> values, const FrameSizes& sizes,
                         std::optional<double> dark, std::span<const int> lost,
                         std::span<const int> unlit) {
  constexpr float about_1 = 0.01F, least_transmission = 0.05F, most_transmission = 1.1F,
                  most_integral = 20;
  if (!dark)
    if (const auto why = why_line_integrals(values, sizes, lost))
      return {.basis = AssumedBeam::Basis::none, .why = *why};
  const Groups groups(values, sizes, dark.value_or(0));
  const AirAtEnds ends(groups, views_of(sizes, lost, unlit), sizes);
  const bool may_be_transmissions = !dark && sizes.columns >= fewest_columns && !are_whole(values);
  AssumedBeam beam{.level = ends.level(), .air_columns = ends.width()};
  if (beam.level > 0) {
    beam.basis = AssumedBeam::Basis::air;
    beam.seen = beam.level += static_cast<float>(dark.value_or(0));
    if (may_be_transmissions && std::abs(beam.level - 1) <= about_1) beam.level = 1;
  } else if (may_be_transmissions && ends.brightest() >= least_transmission &&
             std::ranges::max(values) < most_integral) {
    beam = {.level = 1, .basis = AssumedBeam::Basis::transmission};
    if (ends.brightest() > most_transmission)
      beam = {.basis = AssumedBeam::Basis::none,
              .why = "none reaches 20, many are above 1 and no air is seen"};
  } else {
    beam.level = ends.brightest() > 0 ? ends.brightest() + static_cast<float>(dark.value_or(0))
                                      : std::ranges::max(values);
  }
  return beam;
}

}  // namespace gantry
