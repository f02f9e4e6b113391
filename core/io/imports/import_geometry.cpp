#include "core/io/imports/import_geometry.hpp"

#include "core/alignment/still_views.hpp"
#include "core/base/error.hpp"
#include "core/base/params.hpp"
#include "core/geometry/shifted_circle.hpp"
#include "core/io/geometries/geometry_formats.hpp"
#include "core/io/imports/checks/geometry_checks.hpp"
#include "core/io/scans/scan_file.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

namespace gantry {

namespace {

std::string size_text(int columns, int rows) {
  return std::to_string(columns) + " x " + std::to_string(rows);
}

/// Returns "0.5", or "0.5 x 0.4" where columns and rows differ, of the cells of a detector.
std::string pitch_text(const ScanSpec& spec) {
  const std::string across = format_param(spec.column_pitch_mm);
  return spec.row_pitch_mm == spec.column_pitch_mm
             ? across
             : across + " x " + format_param(spec.row_pitch_mm);
}

/// Throws InputError, naming `where`, unless the geometry is of the size of the projections.
void require_size(const ScanSpec& spec, std::size_t views, const FrameSource& frames,
                  const std::string& where, const std::string& remedy) {
  if (spec.detector_columns == frames.columns() && spec.detector_rows == frames.rows() &&
      views == static_cast<std::size_t>(frames.frames()))
    return;
  const bool lies_down = spec.detector_columns != spec.detector_rows &&
                         spec.detector_columns == frames.rows() &&
                         spec.detector_rows == frames.columns();
  throw InputError("is of " + std::to_string(views) + " views of " +
                       size_text(spec.detector_columns, spec.detector_rows) +
                       " cells, the projections are " + std::to_string(frames.frames()) + " of " +
                       size_text(frames.columns(), frames.rows()),
                   where, lies_down ? "turn the images (--turn 90 or 270), or " + remedy : remedy);
}

StatedGeometry given_geometry(const ImportRequest& request, const RawScan& raw) {
  const FrameSource& frames = *raw.projections;
  KnownDetector known{frames.columns(), frames.rows(), request.pixel_mm};
  known.zero = raw.zero_cell;
  known.may_assume_pixel = true;
  const bool is_of_files = known.pixel_mm <= 0;
  if (is_of_files) {
    known.pixel_mm = raw.geometry ? raw.geometry->column_pitch_mm : raw.pixel_mm;
    known.row_pixel_mm = raw.geometry ? raw.geometry->row_pitch_mm : raw.row_pixel_mm;
  }
  StatedGeometry stated = read_stated_geometry(request.geometry, known);
  const ScanSpec& spec = stated.spec;
  leave_out_views_without_projection(raw.counted_projections(), request.geometry, stated);
  require_size(spec, spec.view_angles_rad.size(), frames, request.geometry,
               "give the geometry of this scan");
  if (known.pixel_mm > 0 && std::abs(spec.column_pitch_mm - known.pixel_mm) > 1e-6 * known.pixel_mm)
    stated.notes.push_back("the size of a cell that " +
                           std::string(is_of_files ? "the projections state" : "was given") + ", " +
                           format_param(known.pixel_mm) + " mm, was left out: " + request.geometry +
                           " states " + pitch_text(spec) + " mm");
  if (stated.has_rows_of_files)
    stated.assumptions.push_back({"rows of the geometry", "those of the images, from the first on",
                                  "other programs count them so"});
  return stated;
}

/// Puts numbers of the request into the place of those that the files of a scan state.
class Replacement {
 public:
  Replacement(ScanSpec& spec, std::vector<std::string>& notes) : spec_(spec), notes_(notes) {}

  /// `name` is what the number is called: "the size of a cell". `stated`: as text, without a unit.
  void number(const std::string& name, double given, const std::string& stated,
              const std::string& unit) {
    require_circle(name);
    note_number(name, given, stated, unit);
  }
  void note_number(const std::string& name, double given, const std::string& stated,
                   const std::string& unit) {
    note(name + " that was given, " + format_param(given) + unit + ",",
         stated + unit + ", which the files state");
  }
  void note(const std::string& given, const std::string& stated) {
    notes_.push_back(given + " took the place of " + stated);
  }
  /// Throws UsageError for free poses, which have no such number.
  void require_circle(const std::string& name) const {
    if (spec_.trajectory == Trajectory::poses)
      throw UsageError("cannot change the free poses that the files state", name,
                       "leave it out, or give a file with the geometry");
  }

 private:
  ScanSpec& spec_;
  std::vector<std::string>& notes_;
};

/// Puts the column of the axis of the request into the place of the stated one.
void replace_centre(const ImportRequest& request, bool is_centre_open, ScanSpec& spec,
                    Replacement& replacement) {
  if (!request.centre) return;
  const char* name = "the column of the axis";
  // A circle whose detector is shifted in each view has an axis, which moves with all of them.
  if (!shifted_circle(spec)) replacement.require_circle(name);
  if (!is_centre_open)
    replacement.note_number(name, *request.centre, format_param(spec.central_column), "");
  spec.central_column = *request.centre;
}

void replace_distances(const ImportRequest& request, bool is_centre_open, ScanSpec& spec,
                       Replacement& replacement) {
  if (request.pixel_mm > 0) {
    replacement.number("the size of a cell", request.pixel_mm, pitch_text(spec), " mm");
    spec.column_pitch_mm = spec.row_pitch_mm = request.pixel_mm;
  }
  if (request.source_to_axis_mm > 0) {
    replacement.number("the distance from source to axis", request.source_to_axis_mm,
                       format_param(spec.source_to_isocenter_mm), " mm");
    replacement.number("the distance from source to detector", request.source_to_detector_mm,
                       format_param(spec.source_to_detector_mm), " mm");
    spec.source_to_isocenter_mm = request.source_to_axis_mm;
    spec.source_to_detector_mm = request.source_to_detector_mm;
    if (spec.beam == Beam::parallel) spec.beam = beam_onto_rows(spec.detector_rows);
  }
  replace_centre(request, is_centre_open, spec, replacement);
}

/// Returns the geometry that the files state, with what the request says instead.
StatedGeometry stated_geometry(const ImportRequest& request, const RawScan& raw) {
  StatedGeometry stated;
  stated.spec = *raw.geometry;
  Replacement replacement(stated.spec, stated.notes);
  const bool is_circle = stated.spec.trajectory != Trajectory::poses;
  if (!request.angles.empty() || request.arc_deg) {
    const char* name = request.angles.empty() ? "the arc" : "the list of angles";
    replacement.require_circle(name);
    replacement.note(std::string(name) + " that was given", "the angles that the files state");
  }
  replace_distances(request, raw.is_centre_open, stated.spec, replacement);
  if (is_circle && !raw.angles_deg.empty()) {
    stated.spec.view_angles_rad.clear();
    for (const double angle : raw.angles_deg) stated.spec.view_angles_rad.push_back(radians(angle));
  }
  require_size(stated.spec,
               is_circle ? stated.spec.view_angles_rad.size() : stated.spec.poses.size(),
               *raw.projections, request.path, "put the projections of this scan beside it");
  return stated;
}

/// Says what is assumed of a diverging beam of which only angles and distances are stated.
void assume_of_diverging_beam(const FrameSource& frames, std::vector<Assumption>& assumptions) {
  assumptions.push_back({"sense of rotation",
                         "the source goes counter-clockwise as seen from above by rising angles",
                         "nothing states it; a falling list of angles (--angles) or a negative "
                         "--arc turns it over"});
  if (frames.rows() > 1)
    assumptions.push_back({"central row",
                           "row " + format_param((frames.rows() - 1) / 2.0) + ", the middle",
                           "nothing states where the central ray meets the detector; a file "
                           "with the geometry (--geometry) does"});
}

/// Returns a circle with what the request says; what it does not say is assumed.
StatedGeometry circle(const ImportRequest& request, const RawScan& raw) {
  const FrameSource& frames = *raw.projections;
  StatedGeometry stated;
  ScanSpec& spec = stated.spec;
  const bool is_given = request.source_to_axis_mm > 0, is_cone = is_given || raw.has_near_source();
  spec.beam = is_cone ? beam_onto_rows(frames.rows()) : Beam::parallel;
  if (is_cone) {
    spec.source_to_isocenter_mm = is_given ? request.source_to_axis_mm : raw.source_to_axis_mm;
    spec.source_to_detector_mm =
        is_given ? request.source_to_detector_mm : raw.source_to_detector_mm;
  }
  if (is_cone && !is_given)
    stated.assumptions.push_back({"distances of the source",
                                  format_param(raw.source_to_axis_mm) + " mm to the axis, " +
                                      format_param(raw.source_to_detector_mm) +
                                      " mm to the detector",
                                  "the file states them"});
  if (is_cone)
    assume_of_diverging_beam(frames, stated.assumptions);
  else
    stated.assumptions.push_back(
        {"beam", "parallel",
         raw.source_to_axis_mm > 0
             ? "the source is " + format_param(1e-3 * raw.source_to_axis_mm) + " m away"
             : "no distance of the source is given"});
  spec.detector_columns = frames.columns();
  spec.detector_rows = frames.rows();
  const double pixel_mm = request.pixel_mm > 0 ? request.pixel_mm : raw.pixel_mm;
  if (is_cone && pixel_mm <= 0)
    throw UsageError("states the distances of the source in mm, but not the size of a cell",
                     request.path, "give the distance of detector cells (--pixel)");
  spec.column_pitch_mm = spec.row_pitch_mm = pixel_mm > 0 ? pixel_mm : 1;
  if (request.pixel_mm <= 0 && raw.row_pixel_mm > 0) spec.row_pitch_mm = raw.row_pixel_mm;
  if (pixel_mm <= 0) stated.assumptions.push_back(unknown_pixel);
  spec.central_column = request.centre.value_or((frames.columns() - 1) / 2.0);
  spec.central_row = (frames.rows() - 1) / 2.0;
  for (const double angle : raw.angles_deg) spec.view_angles_rad.push_back(radians(angle));
  return stated;
}

/// Returns by how many cells, at most, the moves displace what lies at the axis on the detector; a
/// move along the beam counts as the magnification changes at the edge.
double displacement_cells(const ScanSpec& circle, const std::vector<Vec3>& moves_mm) {
  const bool is_parallel = circle.beam == Beam::parallel;
  const double magnification =
                   is_parallel ? 1 : circle.source_to_detector_mm / circle.source_to_isocenter_mm,
               edge_cells = 0.5 * std::max(circle.detector_columns, circle.detector_rows);
  const auto range = [&](double Vec3::*component) {
    const auto [low, high] = std::ranges::minmax(moves_mm, {}, component);
    return high.*component - low.*component;
  };
  return std::max({range(&Vec3::x) * magnification / circle.column_pitch_mm,
                   range(&Vec3::z) * magnification / circle.row_pitch_mm,
                   is_parallel ? 0 : range(&Vec3::y) * edge_cells / circle.source_to_isocenter_mm});
}

/// Returns by how many cells, at most, a lean displaces the shadow of the axis on the detector.
double displacement_cells(const ScanSpec& circle, const AxisLean& lean) {
  const double half_mm = 0.5 * std::max(circle.detector_columns * circle.column_pitch_mm,
                                        circle.detector_rows * circle.row_pitch_mm);
  return std::tan(std::max(std::abs(lean.tilt_rad), std::abs(lean.roll_rad))) * half_mm /
         std::min(circle.column_pitch_mm, circle.row_pitch_mm);
}

/// Returns the longest shift, cells.
double displacement_cells(const std::vector<CellShift>& shifts) {
  double most = 0;
  for (const CellShift& one : shifts)
    most = std::max({most, std::abs(one.columns), std::abs(one.rows)});
  return most;
}

/// Returns why what the files say beyond a circle does not count; empty: it counts.
std::string reason_against(const RawScan& raw, const ImportRequest& request, const ScanSpec& circle,
                           bool lengths_are_known) {
  constexpr double least_cells = 0.1;  // the motors of a stage tremble, too
  constexpr const char* too_little = "since it displaces the shadow by less than a tenth of a cell";
  if (request.only_turns) return "as was asked";
  if (!request.geometry.empty()) return request.geometry + " states source and detector";
  const AxisLean& lean = raw.off_circle.lean;
  if (lean != AxisLean{} && displacement_cells(circle, lean) < least_cells) return too_little;
  const std::vector<CellShift>& shifts = raw.off_circle.shifts;
  if (!shifts.empty() && displacement_cells(shifts) < least_cells) return too_little;
  if (raw.off_circle.moves_mm.empty()) return {};
  if (!lengths_are_known) return "since the size of a cell is not known; --pixel states it";
  return displacement_cells(circle, raw.off_circle.moves_mm) < least_cells ? too_little : "";
}

}  // namespace

ImportGeometry geometry_of_import(const ImportRequest& request, const RawScan& raw) {
  require_near_axis(request.centre, raw.projections->columns());
  if (!request.geometry.empty()) {
    StatedGeometry given = given_geometry(request, raw);
    if (request.geometry == raw.geometry_file) {
      Replacement replacement(given.spec, given.notes);
      replace_centre(request, false, given.spec, replacement);
    }
    if (raw.geometry)
      given.notes.push_back("the geometry in " + request.geometry +
                            " took the place of the one that the files state");
    return {std::move(given)};
  }
  if (raw.geometry) return {stated_geometry(request, raw), raw.is_centre_open && !request.centre};
  return {circle(request, raw), !request.centre};
}

void leave_out_unless_it_counts(RawScan& raw, const ImportRequest& request, const ScanSpec& circle,
                                bool lengths_are_known) {
  if (raw.off_circle.assumptions.empty()) return;
  const std::string reason = reason_against(raw, request, circle, lengths_are_known);
  if (reason.empty()) return;
  for (const Assumption& one : raw.off_circle.assumptions)
    raw.notes.push_back(one.what + " (" + one.value + ") was left out, " + reason);
  raw.off_circle = {};
}

std::vector<Vec3> moves_of_images(const ScanSpec& circle, const OffCircle& off_circle) {
  return off_circle.shifts.empty() ? off_circle.moves_mm : moves_like(circle, off_circle.shifts);
}

ScanSpec left_circle(const ScanSpec& circle, const OffCircle& off_circle) {
  if (off_circle.lean != AxisLean{}) return with_leaning_axis(circle, off_circle.lean);
  if (!off_circle.moves_mm.empty()) return with_moved_object(circle, off_circle.moves_mm);
  if (!off_circle.shifts.empty()) return with_shifted_detector(circle, off_circle.shifts);
  return circle;
}

}  // namespace gantry
