#include "core/io/imports/flattened_frames.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace gantry {

namespace {

/// The cells from which a fractional position is interpolated, and their weights.
struct Taps {
  std::array<int, 4> cell{};
  std::array<double, 4> weight{};
};

/// Returns the taps of cubic convolution, with a = -1/2 (Keys 1981, eq. 15). The cell that is
/// missing beyond an end is extrapolated from the last three (eq. 19 and 25); positions beyond the
/// ends get the value of the last cell.
Taps taps_at(double position, int count) {
  position = std::clamp(position, 0.0, count - 1.0);
  const int first = static_cast<int>(position) - 1;
  const double s = position - std::floor(position);
  Taps taps;
  auto& weight = taps.weight;
  weight = {((-0.5 * s + 1) * s - 0.5) * s, (1.5 * s - 2.5) * s * s + 1,
            ((-1.5 * s + 2) * s + 0.5) * s, (0.5 * s - 0.5) * s * s};
  taps.cell = {first, first + 1, first + 2, first + 3};
  if (count >= 3 && first < 0) {
    weight = {weight[1] + 3 * weight[0], weight[2] - 3 * weight[0], weight[3] + weight[0], 0};
    taps.cell = {0, 1, 2, 2};
  } else if (count >= 3 && first + 3 == count) {
    weight = {weight[0] + weight[3], weight[1] - 3 * weight[3], weight[2] + 3 * weight[3], 0};
    taps.cell[3] = count - 1;
  }
  for (int& cell : taps.cell) cell = std::clamp(cell, 0, count - 1);
  return taps;
}

}  // namespace

View flat_pose(const ArcDetector& arc, const ArcView& view) {
  return {view.source_mm,
          view.focal_centre_mm + arc.radius_mm * view.inward,
          arc.column_pitch_mm * view.across,
          {0, 0, arc.row_pitch_mm}};
}

FlattenedFrames::FlattenedFrames(std::shared_ptr<const FrameSource> frames, const ArcDetector& arc,
                                 std::vector<ArcView> views)
    : frames_(std::move(frames)), arc_(arc), views_(std::move(views)) {
  const auto on_plane = [&](double column) {
    return arc.radius_mm *
           std::tan((column - arc.central_column) * arc.column_pitch_mm / arc.radius_mm);
  };
  const double low = on_plane(0), high = on_plane(arc.columns - 1);
  columns_ = 1 + static_cast<int>(std::floor((high - low) / arc.column_pitch_mm + 1e-9));
  central_column_ = -low / arc.column_pitch_mm;
}

void FlattenedFrames::read(int frame, std::span<float> values) const {
  const ArcView& view = views_[static_cast<std::size_t>(frame)];
  std::vector<float> stored(static_cast<std::size_t>(arc_.rows) *
                            static_cast<std::size_t>(arc_.columns));
  frames_->read(frame, stored);
  // The source as seen from the focal centre.
  const Vec3 shift = view.source_mm - view.focal_centre_mm;
  const double s_in = dot(shift, view.inward), s_across = dot(shift, view.across), s_up = shift.z;
  const auto index = [this](int row, int column) {  // the lowest row is the last one
    return static_cast<std::size_t>(arc_.rows - 1 - row) * static_cast<std::size_t>(arc_.columns) +
           static_cast<std::size_t>(column);
  };
  for (int column = 0; column < columns_; ++column) {
    // In the plane: where the ray from the source through the flat cell meets the arc.
    const double d_in = arc_.radius_mm - s_in,
                 d_across = (column - central_column_) * arc_.column_pitch_mm - s_across,
                 a = d_in * d_in + d_across * d_across, b = s_in * d_in + s_across * d_across,
                 c = s_in * s_in + s_across * s_across - arc_.radius_mm * arc_.radius_mm,
                 part = (-b + std::sqrt(b * b - a * c)) / a,
                 angle = std::atan2(s_across + part * d_across, s_in + part * d_in);
    const Taps across =
        taps_at(arc_.central_column + angle * arc_.radius_mm / arc_.column_pitch_mm, arc_.columns);
    for (int row = 0; row < arc_.rows; ++row) {
      const double height = (row - arc_.central_row) * arc_.row_pitch_mm,
                   on_arc = s_up + part * (height - s_up);
      const Taps up = taps_at(arc_.central_row + on_arc / arc_.row_pitch_mm, arc_.rows);
      double sum = 0;
      for (std::size_t i = 0; i < 4; ++i)
        for (std::size_t j = 0; j < 4; ++j)
          sum += up.weight[i] * across.weight[j] * stored[index(up.cell[i], across.cell[j])];
      values[static_cast<std::size_t>(arc_.rows - 1 - row) * static_cast<std::size_t>(columns_) +
             static_cast<std::size_t>(column)] = static_cast<float>(sum);
    }
  }
}

}  // namespace gantry
