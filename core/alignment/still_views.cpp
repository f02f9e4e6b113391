#include "core/alignment/still_views.hpp"

#include "core/base/error.hpp"

#include <algorithm>
#include <cmath>

namespace gantry {

namespace {

constexpr int most_rows = 64;  // about the middle one; as many say where the axis is

/// Two neighbouring indices of `count`, and the part of the way between them. Beyond the ends, the
/// first or the last one.
struct Between {
  std::size_t before = 0, after = 0;
  float part = 0;

  Between(double place, int count) {
    const double inside = std::clamp(place, 0.0, count - 1.0);
    before = static_cast<std::size_t>(inside);
    after = std::min(before + 1, static_cast<std::size_t>(count - 1));
    part = static_cast<float>(inside - static_cast<double>(before));
  }
};

/// Returns the sum of the squared differences of each view to the next.
double unsteadiness(const StillViews& still) {
  const std::size_t cells = still.line_integrals.size() / still.scan.view_angles_rad.size();
  double sum = 0;
  for (std::size_t at = cells; at < still.line_integrals.size(); ++at) {
    const double difference =
        static_cast<double>(still.line_integrals[at]) - still.line_integrals[at - cells];
    sum += difference * difference;
  }
  return sum;
}

}  // namespace

StillViews still_views(const ScanSpec& circle, std::span<const float> line_integrals,
                       std::span<const Vec3> moves_mm) {
  const auto columns = static_cast<std::size_t>(circle.detector_columns),
             rows = static_cast<std::size_t>(circle.detector_rows);
  if (moves_mm.size() != circle.view_angles_rad.size() ||
      line_integrals.size() != moves_mm.size() * rows * columns)
    throw ShapeError("the moves or the line integrals are not those of the views");
  const double magnification = circle.beam == Beam::parallel
                                   ? 1
                                   : circle.source_to_detector_mm / circle.source_to_isocenter_mm;
  const auto [low, high] = std::ranges::minmax(moves_mm, {}, &Vec3::z);
  const double row_mm = circle.row_pitch_mm / magnification;
  const bool shifts_rows = high.z - low.z <= 0.5 * static_cast<double>(rows) * row_mm;
  StillViews still;
  still.scan = circle;
  still.scan.detector_rows = std::min(circle.detector_rows, most_rows);
  const int first_row = (circle.detector_rows - still.scan.detector_rows) / 2;
  still.scan.central_row -= first_row;
  still.line_integrals.reserve(moves_mm.size() * columns *
                               static_cast<std::size_t>(still.scan.detector_rows));
  for (std::size_t view = 0; view < moves_mm.size(); ++view) {
    const auto frame = line_integrals.subspan(view * rows * columns, rows * columns);
    const double right = moves_mm[view].x * magnification / circle.column_pitch_mm,
                 up = shifts_rows ? moves_mm[view].z / row_mm : 0;
    for (int r = 0; r < still.scan.detector_rows; ++r) {
      const Between row(first_row + r + up, circle.detector_rows);
      for (int c = 0; c < circle.detector_columns; ++c) {
        const Between column(c + right, circle.detector_columns);
        const auto in_row = [&](std::size_t line) {
          return std::lerp(frame[line * columns + column.before],
                           frame[line * columns + column.after], column.part);
        };
        still.line_integrals.push_back(std::lerp(in_row(row.before), in_row(row.after), row.part));
      }
    }
  }
  return still;
}

bool fits_better_reversed(const ScanSpec& circle, std::span<const float> line_integrals,
                          std::span<const Vec3> moves_mm, double Vec3::*component) {
  constexpr double clearly = 0.8;
  std::vector<Vec3> reversed(moves_mm.begin(), moves_mm.end());
  for (Vec3& move : reversed) move.*component = -(move.*component);
  return unsteadiness(still_views(circle, line_integrals, reversed)) <
         clearly * unsteadiness(still_views(circle, line_integrals, moves_mm));
}

}  // namespace gantry
