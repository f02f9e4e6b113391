#include "core/alignment/covered_arc.hpp"

#include "core/alignment/opposite_views.hpp"

#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <utility>
#include <vector>

namespace gantry {

namespace {

constexpr std::size_t terms = 5;  // 1, cos, sin, cos 2, sin 2
using Row = std::array<double, terms>;

/// The first and the second moment of each view over the columns, relative to its sum.
struct Moments {
  std::vector<double> first, second;
};

Moments moments_of(int views, int rows, int columns, std::span<const float> line_integrals) {
  Moments moments;
  const double middle = 0.5 * (columns - 1);
  const float* p = line_integrals.data();
  for (int view = 0; view < views; ++view) {
    double sum = 0, first = 0, second = 0;
    for (int row = 0; row < rows; ++row)
      for (int column = 0; column < columns; ++column, ++p) {
        const double t = (column - middle) / middle;
        sum += *p;
        first += t * *p;
        second += t * t * *p;
      }
    moments.first.push_back(sum > 0 ? first / sum : 0);
    moments.second.push_back(sum > 0 ? second / sum : 0);
  }
  return moments;
}

/// Returns the least squared error of a trigonometric polynomial of degree 2 through the values,
/// relative to their squared deviation from their mean, by the normal equations.
double misfit(const std::vector<double>& values, double step_rad) {
  std::array<Row, terms> matrix{};
  Row right{}, x{};
  double sum = 0, square = 0;
  const auto row_of = [step_rad](std::size_t i) {
    const double angle = step_rad * static_cast<double>(i);
    return Row{1, std::cos(angle), std::sin(angle), std::cos(2 * angle), std::sin(2 * angle)};
  };
  for (std::size_t i = 0; i < values.size(); ++i) {
    const Row row = row_of(i);
    for (std::size_t a = 0; a < terms; ++a) {
      for (std::size_t b = 0; b < terms; ++b) matrix[a][b] += row[a] * row[b];
      right[a] += row[a] * values[i];
    }
    sum += values[i];
    square += values[i] * values[i];
  }
  // Gaussian elimination; the matrix is positive definite for 16 views of half a turn and more.
  for (std::size_t a = 0; a < terms; ++a)
    for (std::size_t b = a + 1; b < terms; ++b) {
      const double factor = matrix[b][a] / matrix[a][a];
      for (std::size_t c = a; c < terms; ++c) matrix[b][c] -= factor * matrix[a][c];
      right[b] -= factor * right[a];
    }
  for (std::size_t a = terms; a-- > 0;) {
    x[a] = right[a];
    for (std::size_t b = a + 1; b < terms; ++b) x[a] -= matrix[a][b] * x[b];
    x[a] /= matrix[a][a];
  }
  double error = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const Row row = row_of(i);
    double value = 0;
    for (std::size_t a = 0; a < terms; ++a) value += row[a] * x[a];
    error += (values[i] - value) * (values[i] - value);
  }
  const double deviation = square - sum * sum / static_cast<double>(values.size());
  return deviation > 0 ? error / deviation : 0;
}

}  // namespace

std::optional<CoveredArc> covered_arc(int views, int rows, int columns,
                                      std::span<const float> line_integrals) {
  const auto arc_deg = arc_of_end_views(views, rows, columns, line_integrals);
  if (!arc_deg) return std::nullopt;
  const Moments moments = moments_of(views, rows, columns, line_integrals);
  const auto misfit_with = [&](int steps) {
    const double step_rad = *arc_deg * std::numbers::pi / 180 / steps;
    return misfit(moments.first, step_rad) + misfit(moments.second, step_rad);
  };
  return CoveredArc{*arc_deg, misfit_with(views) < misfit_with(views - 1)};
}

}  // namespace gantry
