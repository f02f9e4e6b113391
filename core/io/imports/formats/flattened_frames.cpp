#include "core/io/imports/formats/flattened_frames.hpp"

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

/// Returns the interpolated value of a frame of so many rows and columns, whose lowest row is the
/// last one.
double interpolated(std::span<const float> frame, int rows, int columns, const Taps& up,
                    const Taps& across) {
  double sum = 0;
  for (std::size_t i = 0; i < up.cell.size(); ++i)
    for (std::size_t j = 0; j < across.cell.size(); ++j) {
      const std::ptrdiff_t row = rows - 1 - up.cell[i];
      sum += up.weight[i] * across.weight[j] *
             frame[static_cast<std::size_t>(row * columns + across.cell[j])];
    }
  return sum;
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
      values[static_cast<std::size_t>(arc_.rows - 1 - row) * static_cast<std::size_t>(columns_) +
             static_cast<std::size_t>(column)] =
          static_cast<float>(interpolated(stored, arc_.rows, arc_.columns, up, across));
    }
  }
}

InterpolationError FlattenedFrames::error_of(int frame) const {
  const ArcView& view = views_[static_cast<std::size_t>(frame)];
  const auto rows = static_cast<std::size_t>(arc_.rows);
  std::vector<float> stored(rows * static_cast<std::size_t>(arc_.columns)),
      flat(rows * static_cast<std::size_t>(columns_));
  frames_->read(frame, stored);
  read(frame, flat);
  const Vec3 shift = view.source_mm - view.focal_centre_mm;
  const double s_in = dot(shift, view.inward), s_across = dot(shift, view.across), s_up = shift.z;
  InterpolationError error;
  double sum = 0;
  std::size_t count = 0;
  for (int column = 0; column < arc_.columns; ++column) {
    // In the plane: where the ray from the source through the cell meets the flat detector.
    const double angle = (column - arc_.central_column) * arc_.column_pitch_mm / arc_.radius_mm,
                 part = (arc_.radius_mm - s_in) / (arc_.radius_mm * std::cos(angle) - s_in),
                 on_flat = s_across + part * (arc_.radius_mm * std::sin(angle) - s_across),
                 at = central_column_ + on_flat / arc_.column_pitch_mm;
    if (at < 0 || at > columns_ - 1) continue;
    const Taps across = taps_at(at, columns_);
    for (int row = 0; row < arc_.rows; ++row) {
      const double height = (row - arc_.central_row) * arc_.row_pitch_mm,
                   up_at = arc_.central_row + (s_up + part * (height - s_up)) / arc_.row_pitch_mm;
      if (up_at < 0 || up_at > arc_.rows - 1) continue;
      const float value = stored[(rows - 1 - static_cast<std::size_t>(row)) *
                                     static_cast<std::size_t>(arc_.columns) +
                                 static_cast<std::size_t>(column)];
      const double off =
          interpolated(flat, arc_.rows, columns_, taps_at(up_at, arc_.rows), across) - value;
      sum += off * off;
      ++count;
      error.most = std::max(error.most, std::abs(off));
      error.largest_value = std::max(error.largest_value, std::abs(double{value}));
    }
  }
  if (count > 0) error.rms = std::sqrt(sum / static_cast<double>(count));
  return error;
}

}  // namespace gantry
