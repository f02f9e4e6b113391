#include "core/io/imports/import_scan.hpp"

#include "core/alignment/opposite_views.hpp"
#include "core/base/error.hpp"
#include "core/base/params.hpp"
#include "core/io/imports/angle_list.hpp"
#include "core/io/imports/hdf5_frames.hpp"
#include "core/io/imports/tiff_frames.hpp"
#include "core/io/scans/scan_file.hpp"

#include <cmath>
#include <numbers>
#include <utility>

namespace gantry {

namespace {

std::string size_text(int columns, int rows) {
  return std::to_string(columns) + " x " + std::to_string(rows);
}

ScanSpec given_geometry(const ImportRequest& request, const FrameSource& frames) {
  ScanSpec spec = read_geometry(request.geometry);
  const auto views = static_cast<int>(spec.view_angles_rad.size());
  if (spec.detector_columns != frames.columns() || spec.detector_rows != frames.rows() ||
      views != frames.frames())
    throw InputError("is of " + std::to_string(views) + " views of " +
                         size_text(spec.detector_columns, spec.detector_rows) +
                         " cells, the projections are " + std::to_string(frames.frames()) + " of " +
                         size_text(frames.columns(), frames.rows()),
                     request.geometry, "give the geometry of this scan");
  return spec;
}

/// Returns a circle with what the request says; what it does not say is assumed.
ScanSpec circle(const ImportRequest& request, const RawScan& raw,
                std::vector<Assumption>& assumptions) {
  const FrameSource& frames = *raw.projections;
  if (raw.angles_deg.empty())
    throw InputError("does not state the angles of its projections", request.path,
                     "give --angles FILE, or --arc 180 for the angle from the first to the last");
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
                           "neither the files nor --pixel state it"});
  spec.central_column = request.centre.value_or((frames.columns() - 1) / 2.0);
  spec.central_row = (frames.rows() - 1) / 2.0;
  for (const double angle : raw.angles_deg)
    spec.view_angles_rad.push_back(angle * std::numbers::pi / 180);
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
                         "--centre is not given, and no views are mirror images of each other"});
  return geometry.spec().central_column;
}

}  // namespace

const FormatRegistry<ImportFormat>& import_formats() {
  static const FormatRegistry<ImportFormat> formats = [] {
    FormatRegistry<ImportFormat> all{"format to import"};
    all.add(tiff_frames_format());
    all.add(hdf5_frames_format());
    return all;
  }();
  return formats;
}

ImportedScan import_scan(const ImportRequest& request, const std::function<void(double)>& progress,
                         const Interrupt* interrupt) {
  const RawScan raw = import_formats().to_read(request.path).read(request);
  ImportedScan imported;
  imported.assumptions = raw.assumptions;
  const bool is_given = !request.geometry.empty();
  ScanSpec spec = is_given ? given_geometry(request, *raw.projections)
                           : circle(request, raw, imported.assumptions);
  auto geometry = std::make_shared<const ScanGeometry>(spec, request.path);
  LineIntegrals integrals = line_integrals_of(raw, request.normalise, progress, interrupt);
  if (!is_given && !request.centre) {
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
