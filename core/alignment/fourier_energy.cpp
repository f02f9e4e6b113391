#include "core/alignment/fourier_energy.hpp"

#include "core/alignment/mirrored_views.hpp"
#include "core/alignment/opposite_views.hpp"
#include "core/alignment/view_circle.hpp"
#include "core/base/binomial_filter.hpp"
#include "core/base/error.hpp"
#include "core/base/fast_length.hpp"
#include "core/base/least_value.hpp"
#include "core/base/nice_numbers.hpp"
#include "core/base/params.hpp"

#include <kissfft/kissfft.hh>

#include <algorithm>
#include <cmath>
#include <complex>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

namespace gantry {

namespace {

constexpr int most_rows = 10;
constexpr double widest_gap = 2.5;  // in usual steps of the views
constexpr double widest_arc = 1.5 * pi;
constexpr int coarse_columns = 160, fine_columns = 2048;
constexpr int coarse_views = 128, fine_views = 512;
constexpr double edge = 0.1;          // of the columns at both ends, where no axis is looked for
constexpr double least_order = 0.05;  // of the rows: at fewer periods a turn the object has energy
constexpr int most_least_order = 20;
constexpr double most_part = 0.8;           // of the energy around
constexpr std::size_t first_frequency = 2;  // the mean and its neighbour do not depend on the axis

using Complex = std::complex<float>;

/// A view and how far it lies from the first one.
struct TurnedView {
  double angle_rad = 0;
  int index = 0;
};

std::string degrees_text(double angle_rad) {
  return format_param(to_digits(degrees(angle_rad), 4)) + " degrees";
}

/// Returns the views over half a turn, its end excluded, in the order of their angles. None if they
/// leave a gap, or cover more than `widest_arc`; `because` then says so.
std::vector<TurnedView> half_turn(const ScanGeometry& geometry, std::string& because) {
  const ViewCircle circle(geometry.spec());
  const double usual = circle.usual_step();
  if (circle.arc_rad() > widest_arc) {
    because = "the views cover " + degrees_text(circle.covered_rad());
    return {};
  }
  const double widest = widest_gap * usual;
  std::vector<TurnedView> views;
  double before = 0;
  for (std::size_t i = 0; i < circle.count(); ++i) {
    const std::size_t place = (circle.first() + i) % circle.count();
    const double angle = circle.beyond_first(place);
    if (angle >= pi - 0.25 * usual) break;
    if (const double gap = angle - std::exchange(before, angle); gap > widest) {
      because = "the views leave a gap of " + degrees_text(gap);
      return {};
    }
    views.push_back({angle, circle.view(place)});
  }
  if (pi - before <= widest) return views;
  because = "the views cover " + degrees_text(circle.covered_rad());
  return {};
}

/// Values over half a turn, [row][column]: the rows are views at equal steps.
struct Sinogram {
  int rows = 0, columns = 0;
  double first_column = 0, column_width = 1;  ///< of the detector's columns
  std::vector<float> values;

  const float* row(int index) const { return values.data() + std::ptrdiff_t{index} * columns; }
};

/// Adds a view, its middle rows averaged and its columns binned, times a factor.
void add_view(const ScanGeometry& geometry, std::span<const float> line_integrals, int view,
              int first_column, int bin, double factor, std::span<float> sums) {
  const int rows = std::min(most_rows, geometry.rows()), low = (geometry.rows() - rows) / 2;
  const auto scale = static_cast<float>(factor / (rows * bin));
  for (int row = low; row < low + rows; ++row) {
    const float* from = line_integrals.data() +
                        (std::ptrdiff_t{view} * geometry.rows() + row) * geometry.columns() +
                        first_column;
    for (float& sum : sums)
      for (int part = 0; part < bin; ++part) sum += scale * *from++;
  }
}

/// Returns the sinogram of at most so many columns and views, both of lengths whose Fourier
/// transform is fast. Views are interpolated linearly.
Sinogram sinogram_of(const ScanGeometry& geometry, std::span<const float> line_integrals,
                     const std::vector<TurnedView>& views, int most_columns, int most_views) {
  const int bin = (geometry.columns() + most_columns - 1) / most_columns;
  Sinogram sinogram;
  sinogram.columns =
      static_cast<int>(fast_length_to(static_cast<std::size_t>(geometry.columns() / bin)));
  sinogram.rows = static_cast<int>(
      fast_length_to(std::min(views.size(), static_cast<std::size_t>(most_views))));
  const int first = (geometry.columns() - sinogram.columns * bin) / 2;
  sinogram.column_width = bin;
  sinogram.first_column = first + 0.5 * (bin - 1);
  const auto width = static_cast<std::size_t>(sinogram.columns);
  sinogram.values.assign(static_cast<std::size_t>(sinogram.rows) * width, 0);
  for (int row = 0; row < sinogram.rows; ++row) {
    const double angle = pi * row / sinogram.rows;
    const auto up = std::ranges::upper_bound(views, angle, {}, &TurnedView::angle_rad);
    const TurnedView &after = up == views.end() ? views.back() : *up,
                     &before = up == views.begin() ? after : up[-1];
    const double gap = after.angle_rad - before.angle_rad,
                 part = gap > 0 ? (angle - before.angle_rad) / gap : 0;
    const auto line =
        std::span(sinogram.values).subspan(static_cast<std::size_t>(row) * width, width);
    add_view(geometry, line_integrals, before.index, first, bin, 1 - part, line);
    if (part > 0) add_view(geometry, line_integrals, after.index, first, bin, part, line);
  }
  for (int row = 0; row < sinogram.rows; ++row)
    binomial_filter(
        std::span(sinogram.values).subspan(static_cast<std::size_t>(row) * width, width), 4);
  return sinogram;
}

/// The energy where the spectrum of a whole turn should vanish, for axes in half columns.
class Energy {
 public:
  explicit Energy(const Sinogram& sinogram)
      : sinogram_(sinogram),
        across_(width(), false),
        around_(2 * static_cast<std::size_t>(sinogram.rows), false) {}

  /// Returns the energy for the axis at `twice_axis` / 2, in columns of the sinogram.
  double at(int twice_axis) const {
    const std::size_t rows = 2 * static_cast<std::size_t>(sinogram_.rows);
    std::vector<Complex> plane(rows * width()), line(std::max(rows, width())), found(line.size());
    for (std::size_t row = 0; row < rows; ++row) {
      for (std::size_t c = 0; c < width(); ++c)
        line[c] = value(static_cast<int>(row), static_cast<int>(c), twice_axis);
      across_.transform(line.data(), plane.data() + row * width());
    }
    double energy = 0;
    const std::size_t least = std::min<std::size_t>(
        most_least_order,
        static_cast<std::size_t>(std::ceil(least_order * static_cast<double>(rows))));
    // The sinogram is real: half of its frequencies hold all information.
    for (std::size_t u = first_frequency; u <= width() / 2; ++u) {
      // u periods over the detector, k a turn: u <= k / (2 pi R), R in widths of the detector.
      const std::size_t from =
          std::max(least + 1, static_cast<std::size_t>(std::ceil(pi * static_cast<double>(u))));
      if (from > rows / 2) break;
      for (std::size_t row = 0; row < rows; ++row) line[row] = plane[row * width() + u];
      around_.transform(line.data(), found.data());
      for (std::size_t k = from; k <= rows - from; ++k) energy += std::abs(found[k]);
    }
    return energy;
  }

 private:
  std::size_t width() const { return static_cast<std::size_t>(sinogram_.columns); }
  /// Returns a value of the whole turn: views, then their mirror images about the axis. Where a
  /// mirror image lies outside of the detector, the views in reverse order stand in, because these
  /// continue the sinogram without a jump at both ends of the half turn.
  float value(int row, int column, int twice_axis) const {
    const int rows = sinogram_.rows;
    if (row < rows) return sinogram_.row(row)[column];
    const int mirrored = twice_axis - column;
    return mirrored >= 0 && mirrored < sinogram_.columns
               ? sinogram_.row(row - rows)[mirrored]
               : sinogram_.row(2 * rows - 1 - row)[column];
  }

  const Sinogram& sinogram_;
  kissfft<float> across_, around_;
};

struct Least {
  double column = 0;  ///< of the detector
  double part = 1;    ///< the least energy relative to that around it
};

/// Returns the greatest energy before each axis.
std::vector<double> greatest_before(const std::vector<double>& energies) {
  std::vector<double> greatest(energies.size());
  for (std::size_t i = 1; i < energies.size(); ++i)
    greatest[i] = std::max(greatest[i - 1], energies[i - 1]);
  return greatest;
}

/// Returns the energies relative to those that lie around them: to the greatest energy on that side
/// where this is less. An axis beside the object leaves little energy, because no mirror image of
/// the object then lies on the detector; but of such axes there is more energy on one side only.
std::vector<double> relative_to_surroundings(std::vector<double> energies) {
  const std::vector<double> before = greatest_before(energies);
  std::ranges::reverse(energies);
  std::vector<double> after = greatest_before(energies);
  std::ranges::reverse(energies);
  std::ranges::reverse(after);
  for (std::size_t i = 0; i < energies.size(); ++i) {
    const double around = std::min(before[i], after[i]);
    energies[i] = around > 0 ? energies[i] / around : 1;
  }
  return energies;
}

/// Returns the axis of the least energy, relative to its surroundings or to the greatest, between
/// two columns of the detector; nothing at their ends.
enum class Relative { to_surroundings, to_greatest };
std::optional<Least> search(const Sinogram& sinogram, double low, double high, Relative relative) {
  const auto twice = [&](double column) {
    return 2 * (column - sinogram.first_column) / sinogram.column_width;
  };
  const int most = 2 * (sinogram.columns - 1),
            first = std::clamp(static_cast<int>(std::floor(twice(low))), 0, most),
            last = std::clamp(static_cast<int>(std::ceil(twice(high))), first, most);
  std::vector<double> energies(static_cast<std::size_t>(last - first + 1));
  const Energy energy(sinogram);
#pragma omp parallel for schedule(dynamic)
  for (int axis = first; axis <= last; ++axis)
    energies[static_cast<std::size_t>(axis - first)] = energy.at(axis);
  const LeastValue least = least_value(relative == Relative::to_surroundings
                                           ? relative_to_surroundings(std::move(energies))
                                           : energies);
  if (!least.minimum) return std::nullopt;
  const double column = 0.5 * (first + least.refined_index());
  return Least{sinogram.first_column + sinogram.column_width * column, least.value};
}

/// Returns every second view from one on.
std::vector<TurnedView> every_second(const std::vector<TurnedView>& views, std::size_t first) {
  std::vector<TurnedView> some;
  for (std::size_t i = first; i < views.size(); i += 2) some.push_back(views[i]);
  return some;
}

std::string column_text(double column) { return format_param(std::round(100 * column) / 100); }

/// Returns the axis; nothing where a condition does not hold, which `because` then names.
std::optional<CentreEstimate> find_centre(const ScanGeometry& geometry,
                                          std::span<const float> line_integrals,
                                          std::string& because) {
  because = "the scan is of another kind, or has fewer than " + std::to_string(fewest_mirrored) +
            " views or columns";
  if (!may_tell_mirror_axis(geometry, line_integrals)) return std::nullopt;
  const std::vector<TurnedView> views = half_turn(geometry, because);
  if (views.size() < fewest_mirrored) return std::nullopt;
  const auto made = [&](const std::vector<TurnedView>& of, int most_columns, int most_views) {
    return sinogram_of(geometry, line_integrals, of, most_columns, most_views);
  };
  const int columns = geometry.columns();
  const Sinogram coarse = made(views, coarse_columns, coarse_views);
  const auto near =
      search(coarse, edge * columns, (1 - edge) * columns - 1, Relative::to_surroundings);
  because = "the spectrum is alike for all axes";
  if (!near || near->part > most_part) return std::nullopt;
  const double reach = 1.5 * coarse.column_width;
  const auto opposite = centre_from_opposite_views(geometry, line_integrals);
  because = "the spectrum finds column " + column_text(near->column) +
            (opposite ? ", but opposite views find " + column_text(opposite->column)
                      : ", which opposite views do not confirm: they find none");
  if (!opposite || std::abs(opposite->column - near->column) > reach) return std::nullopt;
  const auto refined = [&](const std::vector<TurnedView>& of) {
    return search(made(of, fine_columns, fine_views), near->column - reach, near->column + reach,
                  Relative::to_greatest);
  };
  const auto best = refined(views);
  because = "the spectrum of all columns tells none near column " + column_text(near->column);
  if (!best) return std::nullopt;
  CentreEstimate estimate{.column = best->column,
                          .pairs = static_cast<int>(views.size()),
                          .spread = 0,
                          .mismatch = near->part,
                          .basis = "the spectrum of " + std::to_string(views.size()) + " views"};
  const auto even = refined(every_second(views, 0)), odd = refined(every_second(views, 1));
  if (even && odd) estimate.spread = 0.5 * std::abs(even->column - odd->column);
  return estimate;
}

}  // namespace

std::optional<CentreEstimate> centre_from_fourier_energy(const ScanGeometry& geometry,
                                                         std::span<const float> line_integrals) {
  std::string because;
  return find_centre(geometry, line_integrals, because);
}

std::string why_no_fourier_energy(const ScanGeometry& geometry,
                                  std::span<const float> line_integrals) {
  std::string because;
  return find_centre(geometry, line_integrals, because) ? std::string() : because;
}

}  // namespace gantry
