#include "core/io/imports/import_scan.hpp"

#include "core/alignment/covered_arc.hpp"
#include "core/alignment/opposite_views.hpp"
#include "core/base/error.hpp"
#include "core/base/params.hpp"
#include "core/io/imports/angle_list.hpp"
#include "core/io/imports/edf_frames.hpp"
#include "core/io/imports/hdf5_frames.hpp"
#include "core/io/imports/line_integrals.hpp"
#include "core/io/imports/matlab_frames.hpp"
#include "core/io/imports/numpy_frames.hpp"
#include "core/io/imports/tiff_frames.hpp"
#include "core/io/scans/projection_formats.hpp"
#include "core/io/scans/scan_file.hpp"

#include <cmath>
#include <numbers>
#include <span>
#include <utility>

namespace gantry {

namespace {

std::string size_text(int columns, int rows) {
  return std::to_string(columns) + " x " + std::to_string(rows);
}

std::vector<double> in_radians(const std::vector<double>& angles_deg) {
  std::vector<double> angles_rad;
  for (const double angle : angles_deg) angles_rad.push_back(angle * std::numbers::pi / 180);
  return angles_rad;
}

/// Throws InputError about `where` unless a geometry is of the size of the projections.
void require_size_of(const ScanSpec& spec, const FrameSource& frames, const std::string& where) {
  const auto views = static_cast<int>(spec.view_angles_rad.size());
  if (spec.detector_columns != frames.columns() || spec.detector_rows != frames.rows() ||
      views != frames.frames())
    throw InputError("is of " + std::to_string(views) + " views of " +
                         size_text(spec.detector_columns, spec.detector_rows) +
                         " cells, the projections are " + std::to_string(frames.frames()) + " of " +
                         size_text(frames.columns(), frames.rows()),
                     where, "give the geometry of this scan");
}

ScanSpec given_geometry(const ImportRequest& request, const FrameSource& frames) {
  ScanSpec spec = read_geometry(request.geometry);
  require_size_of(spec, frames, request.geometry);
  return spec;
}

[[noreturn]] void refuse_without_angles(const ImportRequest& request) {
  throw InputError("does not state the angles of its projections", request.path,
                   "give --angles FILE, or --arc 180 for the angle from the first to the last");
}

/// Returns the angles that the line integrals themselves tell, degrees. Throws InputError if they
/// tell none, unless the request takes half a turn for granted.
std::vector<double> angles_from(const ImportRequest& request, const FrameSource& frames,
                                std::span<const float> line_integrals,
                                std::vector<Assumption>& assumptions) {
  const bool is_parallel = request.source_to_axis_mm <= 0;
  const auto found =
      is_parallel ? covered_arc(frames.frames(), frames.rows(), frames.columns(), line_integrals)
                  : std::nullopt;
  if (!found && !request.assumes_half_turn) refuse_without_angles(request);
  const CoveredArc arc = found.value_or(CoveredArc{is_parallel ? 180.0 : 360.0, !is_parallel});
  assumptions.push_back({"angles",
                         "0 to " + format_param(arc.arc_deg) + " degrees" +
                             (arc.is_open ? ", without the end" : ", both ends measured"),
                         !found              ? "nothing tells them"
                         : arc.arc_deg > 180 ? "the last view is as the first"
                                             : "the last view is the mirror image of the first"});
  return angles_over_arc(arc.arc_deg, !arc.is_open, frames.frames(), {});
}

/// Returns a circle with what the request says; what it does not say is assumed.
ScanSpec circle(const ImportRequest& request, const RawScan& raw,
                std::vector<Assumption>& assumptions) {
  const FrameSource& frames = *raw.projections;
  ScanSpec spec;
  const bool is_cone = request.source_to_axis_mm > 0;
  spec.beam = !is_cone ? Beam::parallel : frames.rows() > 1 ? Beam::cone : Beam::fan;
  if (!is_cone) assumptions.push_back({"beam", "parallel", "no distance of the source is given"});
  spec.source_to_isocenter_mm = request.source_to_axis_mm;
  spec.source_to_detector_mm = request.source_to_detector_mm;
  spec.detector_columns = frames.columns();
  spec.detector_rows = frames.rows();
  const double pixel_mm = request.pixel_mm > 0 ? request.pixel_mm : raw.pixel_mm;
  spec.column_pitch_mm = spec.row_pitch_mm = pixel_mm > 0 ? pixel_mm : 1;
  if (pixel_mm <= 0)
    assumptions.push_back({"size of a cell", "unknown: lengths are in cells, written as mm",
                           "neither the files nor the user state it"});
  spec.central_column = request.centre.value_or((frames.columns() - 1) / 2.0);
  spec.central_row = (frames.rows() - 1) / 2.0;
  spec.view_angles_rad = in_radians(raw.angles_deg);
  return spec;
}

/// Returns the geometry that the files state, with what the request says instead.
ScanSpec stated_geometry(const ImportRequest& request, const RawScan& raw) {
  ScanSpec spec = *raw.geometry;
  if (!raw.angles_deg.empty()) spec.view_angles_rad = in_radians(raw.angles_deg);
  if (request.pixel_mm > 0) spec.column_pitch_mm = spec.row_pitch_mm = request.pixel_mm;
  if (request.source_to_axis_mm > 0) {
    spec.source_to_isocenter_mm = request.source_to_axis_mm;
    spec.source_to_detector_mm = request.source_to_detector_mm;
  }
  spec.central_column = request.centre.value_or(spec.central_column);
  require_size_of(spec, *raw.projections, request.path);
  return spec;
}

/// Returns the column of the axis of rotation: found from the data, or the middle.
double centre_of(const ScanGeometry& geometry, const std::vector<float>& line_integrals,
                 std::vector<Assumption>& assumptions) {
  constexpr const char* what = "centre of rotation";
  if (const auto found = centre_from_opposite_views(geometry, line_integrals)) {
    const double column = std::round(100 * found->column) / 100;
    const char* pairs = found->pairs == 1 ? " pair" : " pairs";
    assumptions.push_back(
        {what, "column " + format_param(column),
         "from " + std::to_string(found->pairs) + pairs + " of views half a turn apart"});
    return column;
  }
  assumptions.push_back({what,
                         "column " + format_param(geometry.spec().central_column) + ", the middle",
                         "no column is given, and no views are mirror images of each other"});
  return geometry.spec().central_column;
}

}  // namespace

const FormatRegistry<ImportFormat>& import_formats() {
  static const FormatRegistry<ImportFormat> formats = [] {
    FormatRegistry<ImportFormat> all{"format to import"};
    all.add(tiff_frames_format());
    all.add(hdf5_frames_format());
    all.add(numpy_frames_format());
    all.add(edf_frames_format());
    all.add(matlab_frames_format());
    return all;
  }();
  return formats;
}

bool is_importable(const std::string& path) {
  return projection_formats().recognise(path).format == nullptr &&
         import_formats().recognise(path).format != nullptr;
}

ImportedScan import_scan(const ImportRequest& request, const std::function<void(double)>& progress,
                         const Interrupt* interrupt) {
  RawScan raw = import_formats().to_read(request.path).read(request);
  ImportedScan imported;
  imported.assumptions = raw.assumptions;
  const bool is_given = !request.geometry.empty(), is_stated = raw.geometry.has_value(),
             lacks_angles = !is_given && !is_stated && raw.angles_deg.empty();
  ScanSpec spec;
  if (is_given) spec = given_geometry(request, *raw.projections);
  if (!is_given && is_stated) spec = stated_geometry(request, raw);
  // Of a cone beam the projections do not tell the angles, and need not be read.
  if (lacks_angles && request.source_to_axis_mm > 0 && !request.assumes_half_turn)
    refuse_without_angles(request);
  NormaliseOptions normalise = request.normalise;
  normalise.are_line_integrals |= raw.are_line_integrals;
  LineIntegrals integrals = line_integrals_of(raw, normalise, progress, interrupt);
  if (lacks_angles)
    raw.angles_deg = angles_from(request, *raw.projections, integrals.values, imported.assumptions);
  if (!is_given && !is_stated) spec = circle(request, raw, imported.assumptions);
  auto geometry = std::make_shared<const ScanGeometry>(spec, request.path);
  if (!is_given && !is_stated && !request.centre) {
    spec.central_column = centre_of(*geometry, integrals.values, imported.assumptions);
    geometry = std::make_shared<const ScanGeometry>(spec, request.path);
  }
  imported.scan.geometry = std::move(geometry);
  imported.scan.line_integrals = std::move(integrals.values);
  imported.scan.source = request.path;
  imported.scan.notes = raw.notes;
  imported.scan.notes.insert(imported.scan.notes.end(), integrals.notes.begin(),
                             integrals.notes.end());
  return imported;
}

}  // namespace gantry
