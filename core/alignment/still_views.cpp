#include "core/alignment/still_views.hpp"

#include "core/base/error.hpp"
#include "core/base/even_samples.hpp"

#include <algorithm>
#include <cmath>

namespace gantry {

namespace {

constexpr int most_rows = 64;  // about the middle one; enough to find the axis

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

double magnification_at_axis(const ScanSpec& circle) {
  return circle.beam == Beam::parallel
             ? 1
             : circle.source_to_detector_mm / circle.source_to_isocenter_mm;
}

/// Computes the middle rows of single views as if the object had only turned.
class ShiftedViews {
 public:
  ShiftedViews(const ScanSpec& circle, std::span<const float> line_integrals,
               std::span<const Vec3> moves_mm)
      : circle_(circle),
        line_integrals_(line_integrals),
        moves_mm_(moves_mm),
        rows_(std::min(circle.detector_rows, most_rows)),
        first_row_((circle.detector_rows - rows_) / 2) {
    if (circle.beam == Beam::cone)
      first_row_ = std::clamp(static_cast<int>(std::lround(circle.central_row)) - rows_ / 2, 0,
                              circle.detector_rows - rows_);
    if (moves_mm.size() != circle.view_angles_rad.size() ||
        line_integrals.size() != moves_mm.size() * static_cast<std::size_t>(circle.detector_rows) *
                                     static_cast<std::size_t>(circle.detector_columns))
      throw ShapeError("the moves or the line integrals are not those of the views");
    const double magnification = magnification_at_axis(circle);
    columns_per_mm_ = magnification / circle.column_pitch_mm;
    const auto [low, high] = std::ranges::minmax(moves_mm, {}, &Vec3::z);
    const double row_mm = circle.row_pitch_mm / magnification;
    rows_per_mm_ = high.z - low.z <= 0.5 * circle.detector_rows * row_mm ? 1 / row_mm : 0;
  }

  int rows() const { return rows_; }
  int first_row() const { return first_row_; }
  std::size_t cells() const {
    return static_cast<std::size_t>(rows_) * static_cast<std::size_t>(circle_.detector_columns);
  }

  /// Appends the rows of a view.
  void append(std::size_t view, std::vector<float>& values) const {
    const auto columns = static_cast<std::size_t>(circle_.detector_columns),
               of_view = static_cast<std::size_t>(circle_.detector_rows) * columns;
    const auto frame = line_integrals_.subspan(view * of_view, of_view);
    const double right = moves_mm_[view].x * columns_per_mm_, up = moves_mm_[view].z * rows_per_mm_;
    for (int r = 0; r < rows_; ++r) {
      const Between row(first_row_ + r + up, circle_.detector_rows);
      for (int c = 0; c < circle_.detector_columns; ++c) {
        const Between column(c + right, circle_.detector_columns);
        const auto in_row = [&](std::size_t line) {
          return std::lerp(frame[line * columns + column.before],
                           frame[line * columns + column.after], column.part);
        };
        values.push_back(std::lerp(in_row(row.before), in_row(row.after), row.part));
      }
    }
  }

 private:
  const ScanSpec& circle_;
  std::span<const float> line_integrals_;
  std::span<const Vec3> moves_mm_;
  int rows_, first_row_;
  double columns_per_mm_ = 0, rows_per_mm_ = 0;
};

/// Returns the sum of squared differences between views, evenly chosen, and their next ones.
double unsteadiness(const ShiftedViews& views, int count) {
  constexpr int most_pairs = 256;
  double sum = 0;
  std::vector<float> one, next;
  for (const int view : samples_to_the_ends(count - 1, most_pairs)) {
    one.clear();
    next.clear();
    views.append(static_cast<std::size_t>(view), one);
    views.append(static_cast<std::size_t>(view) + 1, next);
    for (std::size_t i = 0; i < one.size(); ++i) {
      const double difference = static_cast<double>(next[i]) - one[i];
      sum += difference * difference;
    }
  }
  return sum;
}

}  // namespace

std::vector<Vec3> moves_like(const ScanSpec& circle, std::span<const CellShift> shifts) {
  const double magnification = magnification_at_axis(circle);
  std::vector<Vec3> moves;
  for (const CellShift& shift : shifts)
    moves.push_back({-shift.columns * circle.column_pitch_mm / magnification, 0,
                     -shift.rows * circle.row_pitch_mm / magnification});
  return moves;
}

StillViews still_views(const ScanSpec& circle, std::span<const float> line_integrals,
                       std::span<const Vec3> moves_mm) {
  const ShiftedViews views(circle, line_integrals, moves_mm);
  StillViews still;
  still.scan = circle;
  still.scan.detector_rows = views.rows();
  still.scan.central_row -= views.first_row();
  still.line_integrals.reserve(moves_mm.size() * views.cells());
  for (std::size_t view = 0; view < moves_mm.size(); ++view)
    views.append(view, still.line_integrals);
  return still;
}

bool fits_better_reversed(const ScanSpec& circle, std::span<const float> line_integrals,
                          std::span<const Vec3> moves_mm, double Vec3::*component) {
  constexpr double clearly = 0.8;
  const auto count = static_cast<int>(moves_mm.size());
  if (count < 2 || std::ranges::all_of(moves_mm, [&](const Vec3& v) { return v.*component == 0; }))
    return false;
  std::vector<Vec3> reversed(moves_mm.begin(), moves_mm.end());
  for (Vec3& move : reversed) move.*component = -(move.*component);
  return unsteadiness(ShiftedViews(circle, line_integrals, reversed), count) <
         clearly * unsteadiness(ShiftedViews(circle, line_integrals, moves_mm), count);
}

}  // namespace gantry
