#include "core/alignment/covered_arc.hpp"

#include "core/alignment/arc_end.hpp"
#include "core/alignment/mirrored_views.hpp"
#include "core/base/binomial_filter.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace gantry {

namespace {

constexpr std::size_t fewest_views = 16;
constexpr double most_times = 3;        // of the difference of neighbours
constexpr double like = 5e-5;           // mismatch that interpolation between columns leaves
constexpr double fitted_deg = 4;        // at each end, to find whether the end itself was measured
constexpr double widest_step_deg = 12;  // over which a cell's values follow a polynomial
constexpr int most_fitted = 15;         // steps there
constexpr std::size_t compared_columns = 512;
constexpr int smoothing = 8;  // passes of a binomial filter, for columns as they are

/// Returns columns that are joined in groups or divided into equal parts, whichever leads to about
/// as many as are compared, and smoothed, so that a line can be placed between columns.
std::vector<double> smoothed(std::span<const double> line) {
  const std::size_t group = (line.size() + compared_columns - 1) / compared_columns,
                    parts = std::max<std::size_t>(1, compared_columns / line.size()),
                    width = line.size() / group * parts;
  std::vector<double> smooth(width);
  for (std::size_t c = 0; c < width; ++c)
    for (std::size_t i = 0; i < group; ++i) smooth[c] += line[c / parts * group + i];
  binomial_filter(std::span(smooth), smoothing * static_cast<int>(parts * parts));
  return smooth;
}

/// A view as it is compared.
struct EndView {
  int width = 0;
  std::vector<double> form;  ///< bands of rows, [band][column]
};

double difference(const EndView& one, const EndView& other, bool is_mirrored) {
  if (is_mirrored) return mirror_match(one.form, other.form, one.width).mismatch;
  std::vector<double> form = other.form;
  for (auto line = form.begin(); line != form.end(); line += one.width)
    std::reverse(line, line + one.width);
  return mirror_match(one.form, form, one.width).mismatch;
}

}  // namespace

std::optional<CoveredArc> covered_arc(std::span<const int> places, int rows, int columns,
                                      std::span<const float> line_integrals) {
  if (places.size() < fewest_views) return std::nullopt;
  const int views = static_cast<int>(places.size()), last = places.back();
  const auto end_view = [&](int view) {
    EndView end;
    const std::vector<double> bands = bands_of_view(rows, columns, line_integrals, view);
    for (auto band = bands.begin(); band != bands.end(); band += columns) {
      const std::vector<double> line = smoothed({band, band + columns});
      end.form.insert(end.form.end(), line.begin(), line.end());
      end.width = static_cast<int>(line.size());
    }
    return end;
  };
  const EndView front = end_view(0), back = end_view(views - 1);
  const double step = 0.5 * (difference(front, end_view(1), false) +
                             difference(end_view(views - 2), back, false)),
               turned = difference(front, back, true), same = difference(front, back, false),
               unlike = most_times * step;
  if (std::min(turned, same) > std::max(unlike, like)) return std::nullopt;
  // Views that fit both as they are and mirrored are symmetric: they do not tell which arc it is.
  if (std::max(turned, same) <= std::max(unlike, like)) return std::nullopt;
  CoveredArc arc{turned <= same ? 180.0 : 360.0, false, false};
  const double step_deg = arc.arc_deg / last;
  const int most_apart = std::clamp(static_cast<int>(std::lround(fitted_deg / step_deg)), 3,
                                    std::min(most_fitted, last / 2 - 1));
  std::vector<ViewAtEnd> ends;
  for (int view = 0; view < views; ++view) {
    const int place = places[static_cast<std::size_t>(view)];
    for (const bool is_last : {false, true})
      if (const int from_end = is_last ? last - place : place; from_end <= most_apart)
        ends.push_back(
            {1.0 * from_end, is_last, bands_of_view(rows, columns, line_integrals, view)});
  }
  if (const auto end = arc_end(ends, columns, arc.arc_deg < 360)) {
    arc.is_open = end->is_open;
    arc.is_end_told = end->is_told && step_deg <= widest_step_deg;
  }
  return arc;
}

}  // namespace gantry
