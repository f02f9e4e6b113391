#pragma once

#include "core/geometry/scan_geometry.hpp"

#include <cmath>
#include <numbers>
#include <random>
#include <vector>

namespace gantry::test {

/// Line integrals of two discs with sharp edges, of which one moves across the detector, by a
/// parallel beam over half a turn, averaged over the cells; [view][row][column], all rows alike but
/// for their noise.
struct SinogramCase {
  int views = 180, rows = 1, columns = 512;
  double noise = 0.005;  ///< standard deviation

  ScanGeometry geometry() const {
    ScanSpec spec;
    spec.beam = Beam::parallel;
    spec.detector_columns = columns;
    spec.detector_rows = rows;
    spec.column_pitch_mm = spec.row_pitch_mm = 1;
    spec.central_column = 0.5 * (columns - 1);
    spec.central_row = 0.5 * (rows - 1);
    spec.view_angles_rad = angles_from_degrees(0, 180.0 / views, views);
    return ScanGeometry(spec);
  }

  /// Mean over a cell of the chords of a disc whose centre is `away` columns off.
  static double chord(double away, double radius) {
    constexpr int parts = 8;
    double sum = 0;
    for (int k = 0; k < parts; ++k) {
      const double t = away + (k + 0.5) / parts - 0.5, square = radius * radius - t * t;
      sum += square > 0 ? 2 * std::sqrt(square) : 0;
    }
    return sum / parts;
  }

  std::vector<float> line_integrals() const {
    std::vector<float> p;
    std::mt19937 engine(7);
    std::normal_distribution<double> normal(0, 1);
    for (int view = 0; view < views; ++view) {
      const double angle = view * std::numbers::pi / views;
      for (int row = 0; row < rows; ++row)
        for (int column = 0; column < columns; ++column) {
          const double t = column - 0.5 * (columns - 1), size = columns / 512.0;
          const double value =
              chord(t, 200 * size) / (200 * size) +
              chord(t - size * (80 * std::cos(angle) + 40 * std::sin(angle)), 50 * size) /
                  (200 * size);
          p.push_back(static_cast<float>(value + noise * normal(engine)));
        }
    }
    return p;
  }

  std::size_t index(int view, int row, int column) const {
    return (static_cast<std::size_t>(view) * static_cast<std::size_t>(rows) +
            static_cast<std::size_t>(row)) *
               static_cast<std::size_t>(columns) +
           static_cast<std::size_t>(column);
  }

  /// Mean over the views of how far the values of a cell lie above others.
  double excess(const std::vector<float>& values, const std::vector<float>& others, int row,
                int column) const {
    double sum = 0;
    for (int view = 0; view < views; ++view)
      sum +=
          static_cast<double>(values[index(view, row, column)]) - others[index(view, row, column)];
    return sum / views;
  }
};

}  // namespace gantry::test
