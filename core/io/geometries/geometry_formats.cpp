// One line per format of geometries.
#include "core/io/geometries/geometry_formats.hpp"

#include "core/base/error.hpp"
#include "core/geometry/circle_of_poses.hpp"
#include "core/io/geometries/astra_arc.hpp"
#include "core/io/geometries/astra_geometry.hpp"
#include "core/io/geometries/leap_parameters.hpp"
#include "core/io/geometries/plain_table.hpp"
#include "core/io/geometries/projection_matrices.hpp"
#include "core/io/geometries/rtk_geometry.hpp"

#include <cmath>
#include <optional>
#include <utility>

namespace gantry {

namespace {

/// Returns the same detector with its rows counted from the other end.
ScanSpec with_rows_turned_over(ScanSpec spec) {
  spec.central_row = spec.detector_rows - 1 - spec.central_row;
  for (View& pose : spec.poses) pose.v_mm = -1.0 * pose.v_mm;
  return spec;
}

/// Returns the circle that poses are. A circle may be no scan where the poses are one: a detector
/// far beside the axis would open its fan beyond what ScanGeometry allows.
std::optional<ScanSpec> valid_circle(const ScanSpec& poses) {
  std::optional<ScanSpec> circle = circle_of_poses(poses);
  if (circle) try {
      return ScanGeometry(std::move(*circle)).spec();
    } catch (const InputError&) {
      return std::nullopt;
    }
  return std::nullopt;
}

}  // namespace

const FormatRegistry<GeometryFormat>& geometry_formats() {
  static const FormatRegistry<GeometryFormat> formats = [] {
    FormatRegistry<GeometryFormat> all{"geometry format"};
    all.add(rtk_geometry_format());
    all.add(astra_json_format());
    all.add(astra_cone_format());
    all.add(astra_fan_format());
    all.add(astra_parallel_format());
    all.add(astra_arc_format());
    all.add(projection_matrices_format());
    all.add(leap_parameters_format());
    all.add(plain_table_format());  // whose extensions others have behind a word of their own
    return all;
  }();
  return formats;
}

ScanSpec poses_on_detector(const KnownDetector& known, const std::string& where,
                           const std::string& remedy) {
  if (known.columns < 1 || known.rows < 1)
    throw InputError("does not state the size of the detector", where, remedy);
  ScanSpec spec;
  spec.beam = Beam::cone;
  spec.detector = DetectorShape::flat;
  spec.trajectory = Trajectory::poses;
  spec.detector_columns = known.columns;
  spec.detector_rows = known.rows;
  spec.central_column = 0.5 * (known.columns - 1);
  spec.central_row = 0.5 * (known.rows - 1);
  return spec;
}

void note_object_outside(StatedGeometry& stated) {
  const ScanSpec& spec = stated.spec;
  if (spec.beam == Beam::parallel) return;
  std::size_t beside = 0;
  double farthest = 0;  // part of the way from source to detector, of the origin
  for (const View& pose : spec.poses) {
    constexpr double rounding = 1e-6;
    const Vec3 normal = cross(pose.u_mm, pose.v_mm);
    const double part =
        dot(-1.0 * pose.source_mm, normal) / dot(pose.detector_mm - pose.source_mm, normal);
    if (part > 0 && part < 1 + rounding) continue;
    if (beside++ == 0) farthest = part;
  }
  if (beside == 0) return;
  stated.notes.push_back(
      "in " + std::to_string(beside) + " of " + std::to_string(spec.poses.size()) +
      " views the origin, about which the volume lies, is not between source and detector, but " +
      (farthest > 0   ? "behind the detector"
       : farthest < 0 ? "behind the source"
                      : "at the height of the source") +
      ": check the distances");
}

Beam beam_onto_rows(int rows) { return rows > 1 ? Beam::cone : Beam::fan; }

void make_circle(StatedGeometry& stated) {
  ScanSpec& spec = stated.spec;
  std::optional<ScanSpec> circle = valid_circle(spec);
  if (!circle && stated.has_rows_of_files) {
    circle = valid_circle(with_rows_turned_over(spec));
    if (circle) stated.has_rows_of_files = false;
  }
  if (circle) spec = std::move(*circle);
  constexpr double beside = 1e-9;  // of a row, which rounding may have moved it
  if (spec.trajectory == Trajectory::circular && spec.beam == Beam::cone &&
      std::abs(spec.central_row) < beside)
    spec.beam = beam_onto_rows(spec.detector_rows);
}

}  // namespace gantry
