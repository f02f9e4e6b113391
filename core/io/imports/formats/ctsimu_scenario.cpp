#include "core/io/imports/formats/ctsimu_scenario.hpp"

#include "core/base/error.hpp"
#include "core/io/files/json_fields.hpp"
#include "core/io/geometries/geometry_formats.hpp"
#include "core/io/imports/formats/ctsimu_values.hpp"

#include <algorithm>
#include <cmath>

namespace gantry {

namespace {

constexpr int most_cells = 65535, most_projections = 1'000'000;

Vec3 vector_in(const JsonFields& object, const std::string& key) {
  const JsonFields vector = object.object(key, "give x, y and z");
  return {ctsimu_number(vector, "x"), ctsimu_number(vector, "y"), ctsimu_number(vector, "z")};
}

/// Place and directions of a part, in the coordinates of the laboratory.
struct Part {
  Vec3 center_mm, u, v, w;
};

/// Throws InputError if a part moves by itself: `changes` names what is not read.
void require_still(const JsonFields& part, const char* changes) {
  if (part.has(changes) && !part.at(changes, {}).is_null() && !part.at(changes, {}).empty())
    part.fail(changes, "are not read", "give a file with the geometry of each projection");
}

Part part_in(const JsonFields& geometry, const std::string& name) {
  const JsonFields part = geometry.object(name, "say where it stands");
  require_still(part, "deviations");
  const JsonFields center = part.object("center", "give x, y and z");
  Part found;
  found.center_mm = {ctsimu_length_mm(center, "x"), ctsimu_length_mm(center, "y"),
                     ctsimu_length_mm(center, "z")};
  for (const char* axis : {"x", "y", "z"})
    require_still(center.object(axis, "give a length"), "drifts");
  const Vec3 u = vector_in(part, "vector_u"), w = vector_in(part, "vector_w");
  if (!(norm(cross(w, u)) > 1e-6 * norm(u) * norm(w)))
    part.fail("vector_u", "is parallel to vector_w", "correct them");
  found.w = normalized(w);
  found.v = normalized(cross(w, u));
  found.u = cross(found.v, found.w);
  return found;
}

ScanSpec detector_in(const JsonFields& top) {
  const JsonFields detector = top.object("detector", "describe the detector"),
                   pitch = detector.object("pixel_pitch", "give u and v"),
                   acquisition = top.object("acquisition", "describe the scan");
  int binned_u = 1, binned_v = 1;
  if (acquisition.has("pixel_binning") && acquisition.at("pixel_binning", {}).is_object()) {
    const JsonFields binning = acquisition.object("pixel_binning", {});
    binned_u = binning.integer("u", 1, 64, 1);
    binned_v = binning.integer("v", 1, 64, 1);
  }
  ScanSpec spec;
  spec.trajectory = Trajectory::poses;
  spec.detector = DetectorShape::flat;
  spec.detector_columns = ctsimu_whole(detector, "columns", 1, most_cells) / binned_u;
  spec.detector_rows = ctsimu_whole(detector, "rows", 1, most_cells) / binned_v;
  spec.column_pitch_mm = ctsimu_length_mm(pitch, "u") * binned_u;
  spec.row_pitch_mm = ctsimu_length_mm(pitch, "v") * binned_v;
  spec.central_column = 0.5 * (spec.detector_columns - 1);
  spec.central_row = 0.5 * (spec.detector_rows - 1);
  return spec;
}

/// Returns the angles by which the stage is turned, radians; counter-clockwise is positive.
std::vector<double> stage_angles_rad(const JsonFields& acquisition) {
  const double start = ctsimu_angle_rad(acquisition, "start_angle"),
               stop = ctsimu_angle_rad(acquisition, "stop_angle");
  const int count = acquisition.integer("number_of_projections", 1, most_projections);
  const bool is_closed = acquisition.flag("include_final_angle", false),
             is_clockwise = acquisition.choice("direction", {"CCW", "CW"}, 0) == 1;
  const int steps = is_closed ? std::max(1, count - 1) : count;
  std::vector<double> angles;
  for (int i = 0; i < count; ++i)
    angles.push_back((is_clockwise ? -1 : 1) * (start + (stop - start) * i / steps));
  return angles;
}

/// The coordinates of the stage, turned about its axis.
struct StageFrame {
  Part stage;
  double cosine = 1, sine = 0;
  Vec3 direction(Vec3 p) const {
    const double u = dot(p, stage.u), v = dot(p, stage.v);
    return {cosine * u + sine * v, cosine * v - sine * u, dot(p, stage.w)};
  }
  Vec3 point(Vec3 p) const { return direction(p - stage.center_mm); }
};

}  // namespace

StatedGeometry read_ctsimu_scenario(const std::string& path) {
  const nlohmann::json json = read_ctsimu_json(path);
  const JsonFields top(json, path);
  top.object("file", {}).choice("file_type", {"CTSimU Scenario"});
  const JsonFields geometry = top.object("geometry", "describe the geometry");
  const Part source = part_in(geometry, "source"), detector = part_in(geometry, "detector"),
             stage = part_in(geometry, "stage");
  ScanSpec poses = detector_in(top);
  const bool is_parallel =
      geometry.object("source", {}).choice("type", {"cone", "parallel"}, 0) == 1;
  poses.beam = is_parallel ? Beam::parallel : Beam::cone;
  for (const double angle : stage_angles_rad(top.object("acquisition", "describe the scan"))) {
    const StageFrame frame{stage, std::cos(angle), std::sin(angle)};
    const Vec3 middle = frame.point(detector.center_mm);
    poses.poses.push_back(
        {is_parallel ? middle - frame.direction(source.w) : frame.point(source.center_mm), middle,
         poses.column_pitch_mm * frame.direction(detector.u),
         // Rows of a scan rise, those of the files follow v from the uppermost downwards.
         -poses.row_pitch_mm * frame.direction(detector.v)});
  }
  StatedGeometry stated;
  stated.assumptions.push_back(
      {"axes", "those of the stage at the angle 0", "places of the object are given in them"});
  // ScanGeometry checks whether the fields fit together.
  stated.spec = ScanGeometry(std::move(poses), path).spec();
  make_circle(stated);
  if (stated.spec.trajectory == Trajectory::poses)
    stated.notes.emplace_back("source, axis and detector make no circle: the scan has free poses");
  return stated;
}

}  // namespace gantry
