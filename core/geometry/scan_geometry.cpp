#include "core/geometry/scan_geometry.hpp"

#include "core/base/error.hpp"
#include "core/base/params.hpp"
#include "core/base/text_stream.hpp"
#include "core/geometry/fan_angle.hpp"
#include "core/geometry/poses.hpp"
#include "core/geometry/scan_coverage.hpp"

#include <algorithm>
#include <cmath>

namespace gantry {

namespace {

// Limits of lengths (mm) and of central_column and central_row. A value outside is taken for an
// input error; products of such values would leave the range of float.
constexpr double shortest_mm = 1e-6, longest_mm = 1e9, largest_offset = 1e7;

void require_length(double value, const char* field, const std::string& where) {
  if (!(value >= shortest_mm && value <= longest_mm))
    throw InputError(std::string(field) + " is " + format_param(value), where,
                     "give a positive length in mm, 1e-6 to 1e9");
}

void require_within(double value, double largest, const char* field, const std::string& where) {
  if (!(std::abs(value) <= largest))
    throw InputError(std::string(field) + " is " + format_param(value), where,
                     "use " + format_param(-largest) + " to " + format_param(largest));
}

void require_finite(double value, const char* field, const std::string& where) {
  if (!std::isfinite(value))
    throw InputError(std::string(field) + " is not a finite number", where, "correct it");
}

void validate_detector(const ScanSpec& spec, const std::string& where) {
  constexpr int largest = 65536;
  if (spec.detector_columns < 1 || spec.detector_columns > largest)
    throw InputError("detector_columns is " + std::to_string(spec.detector_columns), where,
                     "use 1 to 65536");
  if (spec.detector_rows < 1 || spec.detector_rows > largest)
    throw InputError("detector_rows is " + std::to_string(spec.detector_rows), where,
                     "use 1 to 65536");
  require_length(spec.column_pitch_mm, "column_pitch_mm", where);
  require_length(spec.row_pitch_mm, "row_pitch_mm", where);
  require_within(spec.central_column, largest_offset, "central_column", where);
  require_within(spec.central_row, largest_offset, "central_row", where);
}

void validate_distances(const ScanSpec& spec, const std::string& where) {
  if (spec.beam == Beam::parallel) return;
  require_length(spec.source_to_isocenter_mm, "source_to_isocenter_mm", where);
  require_length(spec.source_to_detector_mm, "source_to_detector_mm", where);
  if (spec.source_to_detector_mm <= spec.source_to_isocenter_mm)
    throw InputError("source_to_detector_mm is not larger than source_to_isocenter_mm", where,
                     "the detector stands behind the axis; exchange the two if they were swapped");
}

/// Throws InputError if the fan opens to one side by more than 80 degrees: at 90 degrees rays would
/// run backwards.
void validate_fan(const ScanGeometry& geometry, const std::string& where) {
  if (geometry.beam() == Beam::parallel || !geometry.rotates()) return;
  const double widest = std::max(std::abs(geometry.fan_angle_rad(-0.5)),
                                 std::abs(geometry.fan_angle_rad(geometry.columns() - 0.5)));
  if (widest > radians(80))
    throw InputError(
        "the fan opens " + std::to_string(static_cast<int>(degrees(widest))) +
            " degrees to one side of the central ray",
        where,
        "check column_pitch_mm, central_column and source_to_detector_mm; at most 80 are possible");
}

}  // namespace

ScanGeometry::ScanGeometry(ScanSpec spec, const std::string& where) : spec_(std::move(spec)) {
  if (!rotates()) {
    validate_poses(spec_, where);
    derive_from_poses(spec_);
  } else if (!spec_.poses.empty()) {
    throw InputError("poses are given for a circle or helix", where,
                     "set \"trajectory\" to \"poses\" or remove them");
  }
  if (spec_.view_angles_rad.empty())
    throw InputError("the scan has no views", where, "give view_angles_deg");
  for (const double angle : spec_.view_angles_rad) require_finite(angle, "view_angles_deg", where);
  validate_detector(spec_, where);
  if (rotates()) validate_distances(spec_, where);
  require_within(spec_.helical_feed_mm_per_turn, longest_mm, "helical_feed_mm_per_turn", where);
  if (spec_.beam == Beam::parallel && spec_.detector == DetectorShape::arc)
    throw InputError("a parallel beam has no arc detector", where, "set \"detector\" to \"flat\"");
  if (spec_.trajectory == Trajectory::helical && spec_.beam != Beam::cone)
    throw InputError("a helical trajectory needs a cone beam", where, "set \"beam\" to \"cone\"");
  validate_fan(*this, where);
}

View ScanGeometry::view(int index) const {
  if (!rotates()) return spec_.poses[static_cast<std::size_t>(index)];
  const double t = angle_rad(index);
  const Vec3 towards_source{std::sin(t), -std::cos(t), 0};
  const bool parallel = spec_.beam == Beam::parallel;
  const double source_distance = parallel ? 1.0 : spec_.source_to_isocenter_mm;
  const double detector_distance =
      parallel ? 0.0 : spec_.source_to_detector_mm - spec_.source_to_isocenter_mm;
  const double z =
      spec_.trajectory == Trajectory::helical ? spec_.helical_feed_mm_per_turn * t / (2 * pi) : 0.0;
  const Vec3 lift{0, 0, z};
  return {source_distance * towards_source + lift,
          -detector_distance * towards_source + lift,
          spec_.column_pitch_mm * Vec3{std::cos(t), std::sin(t), 0},
          {0, 0, spec_.row_pitch_mm}};
}

double ScanGeometry::fan_angle_rad(double column) const {
  if (spec_.beam == Beam::parallel) return 0;
  return gantry::fan_angle_rad(spec_, (column - spec_.central_column) * spec_.column_pitch_mm);
}

Ray ScanGeometry::ray(int index, double column, double row) const {
  return ViewRays(*this, index).ray(column, row);
}

ViewRays::ViewRays(const ScanGeometry& geometry, int view)
    : spec_(geometry.spec()),
      pose_(geometry.view(view)),
      across_(normalized(pose_.u_mm)),
      forward_(normalized(pose_.detector_mm - pose_.source_mm)) {}

Vec3 ViewRays::detector_point_mm(double column, double row) const {
  const double columns = column - spec_.central_column;
  const Vec3 rise = (row - spec_.central_row) * pose_.v_mm;
  if (spec_.detector == DetectorShape::flat) return pose_.detector_mm + columns * pose_.u_mm + rise;
  const double b = columns * spec_.column_pitch_mm / spec_.source_to_detector_mm;
  return pose_.source_mm +
         spec_.source_to_detector_mm * (std::cos(b) * forward_ + std::sin(b) * across_) + rise;
}

Ray ViewRays::ray(double column, double row) const {
  const Vec3 target = detector_point_mm(column, row);
  if (spec_.beam == Beam::parallel) return {target, forward_};
  Vec3 origin = pose_.source_mm;
  if (spec_.beam == Beam::fan) origin.z = target.z;  // each row is an in-plane fan
  return {origin, normalized(target - origin)};
}

double ScanGeometry::field_of_view_radius_mm() const {
  if (!rotates()) return poses_field_of_view_radius_mm(*this);
  const double low = -0.5, high = spec_.detector_columns - 0.5;
  const auto reach_mm = [this](double column) {
    return spec_.beam == Beam::parallel
               ? std::abs(column - spec_.central_column) * spec_.column_pitch_mm
               : spec_.source_to_isocenter_mm * std::sin(std::abs(fan_angle_rad(column)));
  };
  if (spec_.central_column <= low || spec_.central_column >= high) return 0;
  const auto [narrow, wide] = std::minmax({reach_mm(low), reach_mm(high)});
  return narrow < wide && covers_full_turn(*this) ? wide : narrow;
}

AxialRange ScanGeometry::axial_range_mm() const {
  if (!rotates()) return poses_axial_range_mm(*this);
  const double pitch = row_pitch_at_isocenter_mm();
  const double below = (-0.5 - spec_.central_row) * pitch,
               above = (spec_.detector_rows - 0.5 - spec_.central_row) * pitch;
  if (spec_.trajectory != Trajectory::helical) return {below, above};
  const auto [first, last] = std::ranges::minmax(spec_.view_angles_rad);
  const double a = spec_.helical_feed_mm_per_turn * first / (2 * pi),
               b = spec_.helical_feed_mm_per_turn * last / (2 * pi);
  return {std::min(a, b) + below, std::max(a, b) + above};
}

double ScanGeometry::column_pitch_at_isocenter_mm() const {
  if (spec_.beam == Beam::parallel) return spec_.column_pitch_mm;
  return spec_.column_pitch_mm * spec_.source_to_isocenter_mm / spec_.source_to_detector_mm;
}

double ScanGeometry::row_pitch_at_isocenter_mm() const {
  if (spec_.beam != Beam::cone) return spec_.row_pitch_mm;
  return spec_.row_pitch_mm * spec_.source_to_isocenter_mm / spec_.source_to_detector_mm;
}

std::vector<double> angles_from_degrees(double first_deg, double step_deg, int count) {
  std::vector<double> angles(static_cast<std::size_t>(std::max(count, 0)));
  for (std::size_t i = 0; i < angles.size(); ++i)
    angles[i] = radians(first_deg + static_cast<double>(i) * step_deg);
  return angles;
}

ScanSpec with_finer_columns(ScanSpec spec, int parts) {
  spec.detector_columns *= parts;
  spec.column_pitch_mm /= parts;
  spec.central_column = parts * (spec.central_column + 0.5) - 0.5;
  for (View& pose : spec.poses) pose.u_mm = (1.0 / parts) * pose.u_mm;
  return spec;
}

std::string describe(const ScanGeometry& geometry, bool lengths_are_known) {
  const ScanSpec& spec = geometry.spec();
  TextStream text;
  text.precision(4);
  text << (spec.beam == Beam::parallel ? "parallel" : spec.beam == Beam::fan ? "fan" : "cone");
  if (spec.beam != Beam::parallel) text << (spec.detector == DetectorShape::arc ? " arc" : " flat");
  if (spec.trajectory == Trajectory::helical) text << " helical";
  if (!geometry.rotates()) text << " free poses";
  text << ", " << geometry.views() << " views x " << spec.detector_columns;
  if (spec.detector_rows > 1) text << " x " << spec.detector_rows;
  if (lengths_are_known)
    text << " cells of " << spec.column_pitch_mm << " mm";
  else
    text << " cells of unknown size";
  return text.str();
}

}  // namespace gantry
