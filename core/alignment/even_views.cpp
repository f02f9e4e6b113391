#include "core/alignment/even_views.hpp"

#include "core/base/median.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace gantry {

namespace {

constexpr double turn = 2 * pi;
constexpr double most_uneven = 0.05;  // of a step

int parts_of(int count, int most) { return (count + most - 1) / most; }

/// Returns the index of the view at each step, -1 where no view was measured, and sets the step.
/// Returns an empty list where the steps are not equal.
std::vector<int> views_at_steps(const ScanGeometry& geometry, EvenViews& even) {
  std::vector<int> order(static_cast<std::size_t>(geometry.views()));
  std::iota(order.begin(), order.end(), 0);
  const auto angle = [&](int view) { return geometry.angle_rad(view); };
  std::ranges::stable_sort(order, {}, angle);
  std::vector<double> gaps;
  for (std::size_t i = 1; i < order.size(); ++i)
    gaps.push_back(angle(order[i]) - angle(order[i - 1]));
  const double first = angle(order.front()), way = angle(order.back()) - first,
               usual = upper_median(gaps);
  if (!(usual > 0)) return {};
  const double steps = std::round(way / usual);
  if (steps >= 2.0 * geometry.views()) return {};
  even.step_rad = way / steps;
  const double of_turn = std::round(turn / even.step_rad);
  even.is_closed = steps + 1 >= of_turn &&
                   std::abs(of_turn * even.step_rad - turn) < most_uneven * even.step_rad;
  // Views beyond one turn repeat earlier ones.
  std::vector<int> at(static_cast<std::size_t>(std::min(steps + 1, of_turn)), -1);
  for (const int view : order) {
    const double place = (angle(view) - first) / even.step_rad, nearest = std::round(place);
    if (std::abs(place - nearest) > most_uneven) return {};
    if (nearest < static_cast<double>(at.size())) at[static_cast<std::size_t>(nearest)] = view;
  }
  return at;
}

/// Leaves out views, so that at most so many remain.
void thin_out(std::vector<int>& views, int most, EvenViews& even) {
  const auto every = static_cast<std::size_t>(parts_of(static_cast<int>(views.size()), most));
  if (views.size() % every != 0) even.is_closed = false;
  even.step_rad *= static_cast<double>(every);
  std::vector<int> some;
  for (std::size_t i = 0; i < views.size(); i += every) some.push_back(views[i]);
  views = some;
}

}  // namespace

std::optional<EvenViews> even_views(const ScanGeometry& geometry,
                                    std::span<const float> line_integrals,
                                    const EvenViewLimits& limits) {
  if (geometry.views() < 2 || geometry.spec().trajectory != Trajectory::circular)
    return std::nullopt;
  EvenViews even;
  std::vector<int> chosen = views_at_steps(geometry, even);
  if (chosen.empty()) return std::nullopt;
  thin_out(chosen, limits.views, even);
  for (const int view : chosen) even.is_measured.push_back(view >= 0);
  const ScanSpec& spec = geometry.spec();
  const int column_bin = parts_of(geometry.columns(), limits.columns),
            row_bin = parts_of(geometry.rows(), limits.rows),
            left = geometry.columns() % column_bin / 2, low = geometry.rows() % row_bin / 2;
  even.views = static_cast<int>(chosen.size());
  even.columns = geometry.columns() / column_bin;
  even.rows = geometry.rows() / row_bin;
  even.column_bin = column_bin;
  even.first_column = left + 0.5 * (column_bin - 1);
  even.central_row = (spec.central_row - low - 0.5 * (row_bin - 1)) / row_bin;
  even.column_pitch_mm = spec.column_pitch_mm * column_bin;
  even.row_pitch_mm = spec.row_pitch_mm * row_bin;
  const std::size_t lines =
      static_cast<std::size_t>(even.rows) * static_cast<std::size_t>(even.columns);
  even.values.assign(lines * chosen.size(), 0);
  const float part = 1.0F / static_cast<float>(column_bin * row_bin);
#pragma omp parallel for
  for (int row = 0; row < even.rows; ++row)
    for (int i = 0; i < even.views; ++i)
      for (int of_row = 0; even.is_measured[static_cast<std::size_t>(i)] && of_row < row_bin;
           ++of_row) {
        const float* from = line_integrals.data() + left +
                            (std::ptrdiff_t{chosen[static_cast<std::size_t>(i)]} * geometry.rows() +
                             low + row * row_bin + of_row) *
                                geometry.columns();
        float* to = even.values.data() + std::ptrdiff_t{row} * even.columns * even.views + i;
        for (int column = 0; column < even.columns * column_bin; ++column)
          to[std::ptrdiff_t{column / column_bin} * even.views] += part * from[column];
      }
  return even;
}

}  // namespace gantry
