#include "core/io/imports/folders/geometry_beside.hpp"

#include "core/base/error.hpp"
#include "core/base/joined.hpp"
#include "core/corrections/correction.hpp"
#include "core/io/geometries/geometry_formats.hpp"

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <map>
#include <utility>

namespace gantry {

namespace {

const GeometryFormat* geometry_format_of(const std::string& path) {
  const GeometryFormat* format = geometry_formats().recognise(path).format;
  return format != nullptr && !format->is_any_table ? format : nullptr;
}

/// Returns the views of a geometry; 0 of other files.
std::size_t views_in(const std::string& path, const KnownDetector& known) {
  const GeometryFormat* format = geometry_format_of(path);
  if (format == nullptr) return 0;
  try {
    const ScanSpec spec = format->read(path, known).spec;
    return std::max(spec.view_angles_rad.size(), spec.poses.size());
  } catch (const InputError&) {  // given as --geometry, it says what is wrong with it
    return 0;
  }
}

}  // namespace

bool is_geometry_file(const std::string& path) { return geometry_format_of(path) != nullptr; }

GeometriesBeside geometries_beside(const FrameFiles& files, const KnownDetector& known,
                                   const CountedProjections& projections) {
  std::map<std::string, std::size_t> views;  // of the geometries by their paths, which are sorted
  for (const auto* beside : {&files.texts, &files.others})
    if (beside->size() <= FrameFiles::most_others)
      for (const std::string& path : *beside)
        if (const std::size_t count = views_in(path, known); count > 0) views.emplace(path, count);
  GeometriesBeside found;
  std::vector<std::string> with_last, unfit;
  for (const auto& [path, count] : views) {
    const ViewsOfProjections of_scan = views_of_projections(count, projections);
    if (!of_scan.fit())
      unfit.push_back(std::filesystem::path(path).filename().string() + ", beside them, states " +
                      counted(count, "view") + " for " + counted(projections.count, "projection"));
    else if (of_scan.is_by_numbers || of_scan.views.size() == count)
      found.fitting.push_back(path);
    else
      with_last.push_back(path);
  }
  if (found.fitting.empty()) found.fitting = std::move(with_last);
  found.unfit = joined(unfit);
  return found;
}

}  // namespace gantry
