#include "core/alignment/covered_arc.hpp"

#include "core/alignment/mirrored_views.hpp"
#include "core/base/binomial_filter.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

namespace gantry {

namespace {

constexpr std::size_t fewest_views = 16;
constexpr double most_times = 3;      // of the difference of neighbours
constexpr double like = 5e-5;         // mismatch that interpolation between columns leaves
constexpr int most_strides = 8;       // from view to view, of those compared at an end
constexpr double clearly_less = 0.6;  // times the misfit of the other assumption
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

/// A view near one end of a scan.
struct EndView {
  int place = 0;  ///< from the first view on, or below or equal to 0 from the last one back
  bool is_last = false;
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

/// Two views near the ends, and how far they differ.
struct Pair {
  const EndView *one = nullptr, *other = nullptr;
  double difference = 0;
};

constexpr std::size_t terms = 6;
using Row = std::array<double, terms>;

/// Model of the difference of pairs of views if the end of the arc lies `steps_to_end` steps behind
/// the last view: a constant for noise, the square of the views' distance times a parabola of their
/// place, and its fourth power. For a view and a mirror image there is a further constant, since
/// what does not turn with the object (noise of the flats, sampling) is not mirrored.
class Model {
 public:
  Model(double steps_to_end, double scale, bool is_half_turn)
      : half_(0.5 * steps_to_end), scale_(scale), used_(is_half_turn ? terms : terms - 1) {}

  /// Returns the least squared error through the pairs, each relative to its difference, which is
  /// about its variance, by the normal equations.
  double misfit(const std::vector<Pair>& pairs) const {
    std::array<Row, terms> matrix{};
    Row right{}, x{};
    for (const Pair& pair : pairs) {
      const Row row = row_of(pair);
      for (std::size_t a = 0; a < used_; ++a) {
        for (std::size_t b = 0; b < used_; ++b) matrix[a][b] += row[a] * row[b] / pair.difference;
        right[a] += row[a];
      }
    }
    for (std::size_t a = 0; a < used_; ++a)  // Gaussian elimination of a positive definite matrix
      for (std::size_t b = a + 1; b < used_; ++b) {
        const double factor = matrix[b][a] / matrix[a][a];
        for (std::size_t c = a; c < used_; ++c) matrix[b][c] -= factor * matrix[a][c];
        right[b] -= factor * right[a];
      }
    for (std::size_t a = used_; a-- > 0;) {
      x[a] = right[a];
      for (std::size_t b = a + 1; b < used_; ++b) x[a] -= matrix[a][b] * x[b];
      x[a] /= matrix[a][a];
    }
    double misfit = 0;
    for (const Pair& pair : pairs) {
      const Row row = row_of(pair);
      double error = pair.difference;
      for (std::size_t a = 0; a < used_; ++a) error -= row[a] * x[a];
      misfit += error * error / pair.difference;
    }
    return misfit;
  }

 private:
  Row row_of(const Pair& pair) const {
    const double from = place(*pair.one), to = place(*pair.other), middle = 0.5 * (from + to),
                 square = (to - from) * (to - from);
    return {1,
            square,
            square * middle,
            square * middle * middle,
            square * square,
            pair.one->is_last == pair.other->is_last ? 0.0 : 1.0};
  }
  /// Returns where a view lies, the end of the arc at 0.
  double place(const EndView& view) const {
    return (view.place + (view.is_last ? -half_ : half_)) / scale_;
  }

  double half_, scale_;
  std::size_t used_;
};

/// Sets whether the arc is open, and whether the data clearly tell this.
void find_end(CoveredArc& arc, const std::vector<EndView>& ends, double most_apart) {
  const bool is_half_turn = arc.arc_deg < 360;
  std::vector<Pair> pairs;
  for (const EndView& one : ends)
    for (const EndView& other : ends) {
      const bool is_across = one.is_last && !other.is_last;
      if (one.is_last == other.is_last ? other.place <= one.place : !is_across) continue;
      if (other.place - one.place > most_apart) continue;
      const double found = difference(one, other, is_across && is_half_turn);
      if (found > 0) pairs.push_back({&one, &other, found});
    }
  arc.is_end_told = false;
  if (pairs.size() < 2 * terms) return;
  const double open = Model(1, most_apart, is_half_turn).misfit(pairs),
               closed = Model(0, most_apart, is_half_turn).misfit(pairs);
  arc.is_open = open < closed;
  arc.is_end_told = std::min(open, closed) <= clearly_less * std::max(open, closed);
}

}  // namespace

std::optional<CoveredArc> covered_arc(std::span<const int> places, int rows, int columns,
                                      std::span<const float> line_integrals) {
  if (places.size() < fewest_views) return std::nullopt;
  const int views = static_cast<int>(places.size()), last = places.back();
  const auto end_view = [&](int view, bool is_last) {
    const int place = places[static_cast<std::size_t>(view)];
    EndView end{is_last ? place - last : place, is_last, 0, {}};
    const std::vector<double> bands = bands_of_view(rows, columns, line_integrals, view);
    for (auto band = bands.begin(); band != bands.end(); band += columns) {
      const std::vector<double> line = smoothed({band, band + columns});
      end.form.insert(end.form.end(), line.begin(), line.end());
      end.width = static_cast<int>(line.size());
    }
    return end;
  };
  const EndView front = end_view(0, false), back = end_view(views - 1, true);
  const double step = 0.5 * (difference(front, end_view(1, false), false) +
                             difference(end_view(views - 2, true), back, false)),
               turned = difference(front, back, true), same = difference(front, back, false),
               unlike = most_times * step;
  if (std::min(turned, same) > unlike) return std::nullopt;
  // Views that fit both as they are and mirrored are symmetric: they do not tell which arc it is.
  if (std::max(turned, same) <= std::max(unlike, like)) return std::nullopt;
  CoveredArc arc{turned <= same ? 180.0 : 360.0};
  const int most_apart = std::clamp(
                static_cast<int>(std::lround(arc_compared_at_ends_deg / arc.arc_deg * last)), 4,
                last / 2 - 1),
            stride = (most_apart + most_strides - 1) / most_strides;
  std::vector<EndView> ends;
  for (int view = 0; view < views; ++view) {
    const int place = places[static_cast<std::size_t>(view)];
    for (const bool is_last : {false, true}) {
      const int from_end = is_last ? last - place : place;
      if (from_end <= most_apart && from_end % stride == 0) ends.push_back(end_view(view, is_last));
    }
  }
  find_end(arc, ends, most_apart);
  return arc;
}

}  // namespace gantry
