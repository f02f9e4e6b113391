#include "core/io/imports/folders/geometry_beside.hpp"

#include "core/base/error.hpp"
#include "core/base/joined.hpp"
#include "core/io/geometries/geometry_formats.hpp"
#include "core/io/imports/names/angle_names.hpp"

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <iterator>
#include <vector>

namespace gantry {

namespace {

const GeometryFormat* geometry_format_of(const std::string& path) {
  const GeometryFormat* format = geometry_formats().recognise(path).format;
  return format != nullptr && !format->is_any_table ? format : nullptr;
}

/// Whether a file is a geometry with a view for each projection of the scan.
bool fits_projections(const std::string& path, const ImportRequest& request, const RawScan& scan) {
  const GeometryFormat* format = geometry_format_of(path);
  if (format == nullptr) return false;
  const FrameSource& frames = *scan.projections;
  KnownDetector known{frames.columns(), frames.rows(), request.pixel_mm};
  if (known.pixel_mm <= 0) known.pixel_mm = scan.pixel_mm > 0 ? scan.pixel_mm : 1;
  try {
    const ScanSpec spec = format->read(path, known).spec;
    const std::size_t views = std::max(spec.view_angles_rad.size(), spec.poses.size());
    const int places = scan.positions.empty() ? frames.frames() : scan.positions.back() + 1;
    return views == static_cast<std::size_t>(frames.frames()) ||
           views == static_cast<std::size_t>(places);
  } catch (const InputError&) {  // given as --geometry, it says what is wrong with it
    return false;
  }
}

}  // namespace

bool is_geometry_file(const std::string& path) { return geometry_format_of(path) != nullptr; }

void take_geometry_beside(const FrameFiles& files, const ImportRequest& request, RawScan& scan) {
  if (!request.geometry.empty() || !request.angles.empty() || !request.angle_column.empty() ||
      request.arc_deg || request.source_to_axis_mm > 0)
    return;
  std::vector<std::string> found;
  for (const auto* beside : {&files.texts, &files.others})
    if (beside->size() <= FrameFiles::most_others)
      std::ranges::copy_if(*beside, std::back_inserter(found), [&](const std::string& path) {
        return fits_projections(path, request, scan);
      });
  if (found.empty()) return;
  const auto name = [](const std::string& path) {
    return std::filesystem::path(path).filename().string();
  };
  if (found.size() > 1) {
    std::ranges::sort(found);
    scan.notes.push_back("of " + joined(found, name) +
                         " each has a view for each projection, and none was read; --geometry "
                         "takes one");
    return;
  }
  scan.geometry_file = found.front();
  scan.assumptions.push_back({"geometry", name(found.front()),
                              "it lies beside the images and has a view for each projection"});
  for (const std::string& text : files.texts)
    if (names_angles(text))
      scan.notes.push_back(name(text) + " was not read: " + name(found.front()) +
                           " states the angles; --angles takes it instead");
}

}  // namespace gantry
