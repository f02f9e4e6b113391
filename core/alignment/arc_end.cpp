#include "core/alignment/arc_end.hpp"

#include "core/alignment/mirrored_lines.hpp"
#include "core/base/binomial_filter.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>

namespace gantry {

namespace {

constexpr int degree = 3;
constexpr int fewest_views = 3;
constexpr double least_overlap = 0.25;
constexpr double clearly_less = 0.6;    // times the squared jump of the other assumption
constexpr double most_by_noise = 2.5;   // standard deviations of the mean squared jump
constexpr double cells_of_a_value = 4;  // columns that share their noise, being smoothed

constexpr int parts = 4;      // of a column, so that an axis can lie between columns
constexpr int smoothing = 4;  // passes of a binomial filter

/// Returns lines that are smoothed and divided into parts of columns, [band][part of a column].
std::vector<double> divided(std::vector<double> lines, int columns) {
  std::vector<double> fine;
  for (auto line = lines.begin(); line != lines.end(); line += columns) {
    binomial_filter(std::span(line, line + columns), smoothing);
    for (int i = 0; i < (columns - 1) * parts + 1; ++i) {
      const int left = std::min(i / parts, columns - 2);
      fine.push_back(std::lerp(line[left], line[left + 1], static_cast<double>(i) / parts - left));
    }
  }
  return fine;
}

int width_of(int columns) { return (columns - 1) * parts + 1; }

double dot(std::span<const double> a, std::span<const double> b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

/// Returns the mean squared jump of smoothed cells.
double squared_jump(std::span<const ViewAtEnd> views, const Jump& jump, int columns,
                    bool is_half_turn) {
  std::vector<double> front(views.front().lines.size()), back(front.size());
  for (std::size_t v = 0; v < views.size(); ++v)
    for (std::size_t i = 0; i < front.size(); ++i)
      (views[v].is_last ? back : front)[i] += jump.weights[v] * views[v].lines[i];
  MirroredLines lines(width_of(columns));
  if (!is_half_turn)
    for (auto line = back.begin(); line != back.end(); line += columns)
      std::reverse(line, line + columns);
  lines.add(divided(front, columns), divided(back, columns));
  if (!is_half_turn) return lines.difference_about_middle();
  const auto axis = lines.axis(least_overlap);
  return axis ? axis->difference : lines.difference_about_middle();
}

/// Returns the variance of noise in the smoothed cells of a view: from what no parabola through
/// four neighbouring views explains, the less of both ends.
double noise_of(std::span<const ViewAtEnd> views, int columns) {
  constexpr std::array<double, 4> third{1, -3, 3, -1};
  constexpr double of_squares = 20;
  double least = std::numeric_limits<double>::infinity();
  for (const bool is_last : {false, true}) {
    std::vector<const ViewAtEnd*> side;
    for (const ViewAtEnd& view : views)
      if (view.is_last == is_last) side.push_back(&view);
    std::ranges::sort(side, {}, [](const ViewAtEnd* view) { return view->place; });
    for (std::size_t v = 0; v + third.size() <= side.size(); ++v) {
      std::vector<double> sums(side[v]->lines.size()), nothing(sums.size());
      for (std::size_t k = 0; k < third.size(); ++k)
        for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += third[k] * side[v + k]->lines[i];
      MirroredLines lines(width_of(columns));
      sums = divided(std::move(sums), columns);
      nothing.assign(sums.size(), 0);
      lines.add(sums, nothing);
      least = std::min(least, lines.difference_about_middle() / of_squares);
    }
  }
  return std::isfinite(least) ? least : 0;
}

}  // namespace

// The weights are the part of a step function that is orthogonal to the polynomials, divided by its
// square.
Jump jump_at(std::span<const ViewAtEnd> views, double steps_to_end) {
  std::vector<double> places, step;
  for (const ViewAtEnd& view : views) {
    places.push_back(view.is_last ? -view.place - 0.5 * steps_to_end
                                  : view.place + 0.5 * steps_to_end);
    step.push_back(view.is_last ? -0.5 : 0.5);
  }
  const double scale =
      std::abs(*std::ranges::max_element(places, {}, [](double place) { return std::abs(place); }));
  std::vector<std::vector<double>> basis;
  for (int power = 0; power <= degree; ++power) {
    std::vector<double> values;
    for (const double place : places) values.push_back(std::pow(place / scale, power));
    for (const std::vector<double>& other : basis) {
      const double part = dot(values, other);
      for (std::size_t i = 0; i < values.size(); ++i) values[i] -= part * other[i];
    }
    const double length = std::sqrt(dot(values, values));
    for (double& value : values) value /= length;
    const double part = dot(step, values);
    for (std::size_t i = 0; i < values.size(); ++i) step[i] -= part * values[i];
    basis.push_back(std::move(values));
  }
  const double square = dot(step, step);
  for (std::size_t i = 0; i < views.size(); ++i) step[i] *= (views[i].is_last ? -1 : 1) / square;
  return {std::move(step), 1 / square};
}

std::optional<ArcEnd> arc_end(std::span<const ViewAtEnd> views, int columns, bool is_half_turn) {
  const auto last = std::ranges::count(views, true, &ViewAtEnd::is_last);
  if (last < fewest_views || std::ssize(views) - last < fewest_views) return std::nullopt;
  const Jump closed = jump_at(views, 0), open = jump_at(views, 1);
  const double of_closed = squared_jump(views, closed, columns, is_half_turn),
               of_open = squared_jump(views, open, columns, is_half_turn),
               noise = std::min(
                   {noise_of(views, columns), of_closed / closed.noise, of_open / open.noise}),
               left_closed = of_closed - noise * closed.noise,
               left_open = of_open - noise * open.noise;
  ArcEnd end;
  end.is_open = left_open < left_closed;
  const double less = std::min(left_open, left_closed), more = std::max(left_open, left_closed),
               values = static_cast<double>(views.front().lines.size()) / cells_of_a_value,
               by_noise = noise * std::max(open.noise, closed.noise) * std::sqrt(2 / values);
  end.is_told = less <= clearly_less * more && more - less > most_by_noise * by_noise;
  return end;
}

}  // namespace gantry
