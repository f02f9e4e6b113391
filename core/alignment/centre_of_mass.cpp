#include "core/alignment/centre_of_mass.hpp"

#include "core/alignment/view_circle.hpp"
#include "core/base/error.hpp"
#include "core/base/median.hpp"
#include "core/base/moving_mean.hpp"
#include "core/base/nice_numbers.hpp"
#include "core/base/params.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <numbers>
#include <string>
#include <vector>

namespace gantry {

namespace {

constexpr double least_arc_rad = 0.5 * pi;
constexpr std::size_t fewest_views = 8;
constexpr double least_of_object = 0.05;  // of the highest value of a view: less is air
constexpr double least_deviations = 5;    // of the noise, above which a value is of the object
constexpr double most_of_noise = 0.2;     // of the highest value: more hides the object's ends
constexpr double margin = 0.03;           // of the columns, beside the object
constexpr double most_mass_deviation = 0.05;
constexpr double most_spread = 1;  // columns

/// The rows of each view, added up: [view][column].
std::vector<double> profiles_of(const ScanGeometry& geometry,
                                std::span<const float> line_integrals) {
  const auto columns = static_cast<std::size_t>(geometry.columns()),
             cells = columns * static_cast<std::size_t>(geometry.rows());
  std::vector<double> profiles(static_cast<std::size_t>(geometry.views()) * columns);
#pragma omp parallel for schedule(static)
  for (int view = 0; view < geometry.views(); ++view) {
    double* profile = profiles.data() + static_cast<std::size_t>(view) * columns;
    const float* row = line_integrals.data() + static_cast<std::size_t>(view) * cells;
    for (const float* end = row + cells; row != end; row += columns)
      for (std::size_t c = 0; c < columns; ++c) profile[c] += row[c];
  }
  return profiles;
}

/// Returns the standard deviation of the noise of the profiles, from neighbouring columns.
double noise_of(const std::vector<double>& profiles, std::size_t columns) {
  std::vector<double> steps;
  steps.reserve(profiles.size());
  for (std::size_t i = 1; i < profiles.size(); ++i)
    if (i % columns != 0) steps.push_back(std::abs(profiles[i] - profiles[i - 1]));
  constexpr double deviation_per_median = 1.4826;  // of the absolute values of normal noise
  return deviation_per_median / std::numbers::sqrt2 * upper_median(steps);
}

/// Returns the means of `count` neighbouring columns of each view.
std::vector<double> smoothed(const std::vector<double>& profiles, std::size_t columns,
                             std::size_t count) {
  std::vector<double> means;
  means.reserve(profiles.size());
  for (std::size_t from = 0; from < profiles.size(); from += columns)
    std::ranges::copy(moving_mean(std::span(profiles).subspan(from, columns), count),
                      std::back_inserter(means));
  return means;
}

/// The columns, first to last, that see the object in some view, and a margin; nothing where the
/// margin does not fit, or noise hides where the object ends: `because` then says so.
struct Columns {
  std::size_t first, last;
};
std::optional<Columns> columns_of_object(const std::vector<double>& profiles, std::size_t columns,
                                         std::string& because) {
  const auto beside = static_cast<std::size_t>(std::ceil(margin * static_cast<double>(columns)));
  // Single cells of air may exceed any small part of the highest value by their noise.
  const std::vector<double> means = smoothed(profiles, columns, beside);
  const double highest = *std::ranges::max_element(means),
               noise = least_deviations * noise_of(profiles, columns) /
                       std::sqrt(static_cast<double>(beside));
  because = "noise hides where the object ends";
  if (noise > most_of_noise * highest) return std::nullopt;
  const double air = std::max(noise, least_of_object * highest);
  std::size_t first = columns, last = 0;
  for (std::size_t i = 0; i < means.size(); ++i) {
    if (!(means[i] > air)) continue;
    first = std::min(first, i % columns);
    last = std::max(last, i % columns);
  }
  because = "no air is seen on the left or on the right";
  if (first > last || first < beside || last + beside >= columns) return std::nullopt;
  return Columns{first - beside, last + beside};
}

/// Subtracts what the air beside the object shows on the mean of all views: a straight line from
/// one side to the other. An error of the flats would draw the axis to the middle of the columns.
void subtract_air(std::vector<double>& profiles, std::size_t columns, Columns used) {
  const std::size_t beside = (used.last - used.first) / 50 + 1, views = profiles.size() / columns;
  struct Side {
    double column = 0, value = 0;
  };
  const auto mean_of = [&](std::size_t first, std::size_t last) {
    Side side;
    for (std::size_t view = 0; view < views; ++view)
      for (std::size_t c = first; c <= last; ++c) side.value += profiles[view * columns + c];
    side.value /= static_cast<double>(views * (last - first + 1));
    side.column = 0.5 * static_cast<double>(first + last);
    return side;
  };
  const Side left = mean_of(0, std::min(used.first + beside, columns - 1)),
             right = mean_of(used.last - std::min(beside, used.last), columns - 1);
  for (std::size_t i = 0; i < profiles.size(); ++i)
    profiles[i] -=
        std::lerp(left.value, right.value,
                  (static_cast<double>(i % columns) - left.column) / (right.column - left.column));
}

/// Where the centre of mass of a view lies, columns.
struct Place {
  double angle, column;
};

/// Solves the normal equations of a + b cos + c sin = column; returns a, its standard error and the
/// squared deviations of the fit.
struct Fit {
  double axis = 0, error = 0, mean_square = 0;
};
std::optional<Fit> fit(std::span<const Place> places) {
  std::array<std::array<double, 5>, 3> m{};  // the matrix, the right side, and column 0 of I
  m[0][4] = 1;
  for (const Place& place : places) {
    const std::array<double, 3> f = {1, std::cos(place.angle), std::sin(place.angle)};
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t k = 0; k < 3; ++k) m[i][k] += f[i] * f[k];
      m[i][3] += f[i] * place.column;
    }
  }
  for (std::size_t i = 0; i < 3; ++i) {
    if (!(m[i][i] > 1e-6 * static_cast<double>(places.size()))) return std::nullopt;
    for (std::size_t row = 0; row < 3; ++row) {
      if (row == i) continue;
      const double factor = m[row][i] / m[i][i];
      for (std::size_t k = 0; k < 5; ++k) m[row][k] -= factor * m[i][k];
    }
  }
  const auto solved = [&m](std::size_t i) { return m[i][3] / m[i][i]; };
  double square = 0;
  for (const Place& place : places) {
    const double fitted =
        solved(0) + solved(1) * std::cos(place.angle) + solved(2) * std::sin(place.angle);
    square += (place.column - fitted) * (place.column - fitted);
  }
  const auto free = static_cast<double>(places.size() - 3);
  return Fit{solved(0), std::sqrt(square / free * m[0][4] / m[0][0]),
             square / static_cast<double>(places.size())};
}

/// Returns the centres of mass in the order of the angles; nothing where the masses differ:
/// `because` then says by how much.
std::optional<std::vector<Place>> places_of(const ScanGeometry& geometry,
                                            const std::vector<double>& profiles, Columns used,
                                            std::string& because) {
  const auto columns = static_cast<std::size_t>(geometry.columns());
  const ViewCircle circle(geometry.spec());
  std::vector<Place> places;
  because = "a view has no mass";
  double sum = 0, square = 0;
  for (std::size_t n = 0; n < circle.count(); ++n) {
    const std::size_t at = (circle.first() + n) % circle.count();
    const auto view = static_cast<std::size_t>(circle.view(at));
    double mass = 0, moment = 0;
    for (std::size_t c = used.first; c <= used.last; ++c) {
      mass += profiles[view * columns + c];
      moment += static_cast<double>(c) * profiles[view * columns + c];
    }
    if (!(mass > 0)) return std::nullopt;
    places.push_back({circle.angle(at), moment / mass});
    sum += mass;
    square += mass * mass;
  }
  const auto count = static_cast<double>(places.size());
  const double mean = sum / count,
               deviation = std::sqrt(std::max(0.0, square / count - mean * mean));
  because = "the masses of the views differ by " +
            format_param(to_digits(100 * deviation / mean, 2)) + " %";
  if (deviation > most_mass_deviation * mean) return std::nullopt;
  return places;
}

/// Returns the axis; nothing where a condition does not hold, which `because` then names.
std::optional<CentreEstimate> find_centre(const ScanGeometry& geometry,
                                          std::span<const float> line_integrals,
                                          std::string& because) {
  if (line_integrals.size() != geometry.rays())
    throw ShapeError("the line integrals are not those of the geometry");
  because = "the scan is of another kind, or of less than 90 degrees or " +
            std::to_string(fewest_views) + " views";
  if (geometry.beam() != Beam::parallel || !geometry.rotates() ||
      static_cast<std::size_t>(geometry.views()) < fewest_views ||
      ViewCircle(geometry.spec()).covered_rad() < least_arc_rad)
    return std::nullopt;
  const auto columns = static_cast<std::size_t>(geometry.columns());
  std::vector<double> profiles = profiles_of(geometry, line_integrals);
  const auto used = columns_of_object(profiles, columns, because);
  if (!used) return std::nullopt;
  subtract_air(profiles, columns, *used);
  const auto places = places_of(geometry, profiles, *used, because);
  if (!places) return std::nullopt;
  const std::size_t part = places->size() * 3 / 4;
  const auto whole = fit(*places), early = fit(std::span(*places).first(part)),
             late = fit(std::span(*places).last(part));
  because = "the angles do not tell a sinusoid";
  if (!whole || !early || !late) return std::nullopt;
  const double spread = std::max(whole->error, std::abs(early->axis - late->axis));
  because =
      "parts of the views agree to no more than " + format_param(to_digits(spread, 2)) + " columns";
  if (!(spread <= most_spread)) return std::nullopt;
  const auto width = static_cast<double>(used->last - used->first + 1);
  return CentreEstimate{
      .column = whole->axis,
      .pairs = static_cast<int>(places->size()),
      .spread = spread,
      .mismatch = std::min(1.0, whole->mean_square / (width * width)),
      .basis = "the centres of mass of " + std::to_string(places->size()) + " views"};
}

}  // namespace

std::optional<CentreEstimate> centre_from_mass(const ScanGeometry& geometry,
                                               std::span<const float> line_integrals) {
  std::string because;
  return find_centre(geometry, line_integrals, because);
}

std::string why_no_mass(const ScanGeometry& geometry, std::span<const float> line_integrals) {
  std::string because;
  return find_centre(geometry, line_integrals, because) ? std::string() : because;
}

}  // namespace gantry
