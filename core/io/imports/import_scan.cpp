#include "core/io/imports/import_scan.hpp"

#include "core/alignment/covered_arc.hpp"
#include "core/alignment/opposite_views.hpp"
#include "core/base/error.hpp"
#include "core/base/params.hpp"
#include "core/io/imports/angle_list.hpp"
#include "core/io/imports/import_geometry.hpp"
#include "core/io/imports/line_integrals.hpp"
#include "core/io/scans/projection_formats.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <memory>
#include <span>
#include <utility>

namespace gantry {

namespace {

[[noreturn]] void refuse_without_angles(const ImportRequest& request) {
  throw InputError("does not state the angles of its projections", request.path,
                   "give a list of angles, or the arc from the first to the last");
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

bool is_importable(const std::string& path) {
  return import_formats().recognise(path).certainty >
         projection_formats().recognise(path).certainty;
}

ImportedScan import_scan(const ImportRequest& request, const std::function<void(double)>& progress,
                         const Interrupt* interrupt) {
  RawScan raw = import_formats().to_read(request.path).read(request);
  ImportedScan imported;
  imported.assumptions = raw.assumptions;
  const bool lacks_angles = request.geometry.empty() && !raw.geometry && raw.angles_deg.empty();
  // Of a cone beam the projections do not tell the angles, and need not be read.
  if (lacks_angles && request.source_to_axis_mm > 0 && !request.assumes_half_turn)
    refuse_without_angles(request);
  ImportGeometry found;
  if (!lacks_angles) found = geometry_of_import(request, raw);  // before the frames are read
  raw.begins_lowest = found.stated.has_rows_of_files;
  NormaliseOptions normalise = request.normalise;
  normalise.are_line_integrals |= raw.are_line_integrals;
  LineIntegrals integrals = line_integrals_of(raw, normalise, progress, interrupt);
  if (lacks_angles) {
    raw.angles_deg = angles_from(request, *raw.projections, integrals.values, imported.assumptions);
    found = geometry_of_import(request, raw);
  }
  StatedGeometry& stated = found.stated;
  std::ranges::copy(stated.assumptions, std::back_inserter(imported.assumptions));
  auto geometry = std::make_shared<const ScanGeometry>(stated.spec, request.path);
  if (found.is_centre_open) {
    stated.spec.central_column = centre_of(*geometry, integrals.values, imported.assumptions);
    geometry = std::make_shared<const ScanGeometry>(stated.spec, request.path);
  }
  imported.scan.geometry = std::move(geometry);
  imported.scan.line_integrals = std::move(integrals.values);
  imported.scan.source = request.path;
  for (const auto& notes : {raw.notes, stated.notes, integrals.notes})
    std::ranges::copy(notes, std::back_inserter(imported.scan.notes));
  return imported;
}

}  // namespace gantry
