#include "core/io/imports/folders/geometry_beside.hpp"

#include "core/base/error.hpp"
#include "core/base/joined.hpp"
#include "core/corrections/correction.hpp"
#include "core/io/geometries/geometry_formats.hpp"
#include "core/io/geometries/plain_table.hpp"
#include "core/io/geometries/table_kinds.hpp"
#include "core/io/imports/names/angle_names.hpp"

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <map>
#include <optional>
#include <utility>

namespace gantry {

namespace {

const GeometryFormat* geometry_format_of(const std::string& path) {
  const GeometryFormat* format = geometry_formats().recognise(path).format;
  if (format == nullptr || !format->is_any_table) return format;
  const bool is_table = !names_angles(path) && (names_geometry(path) || may_be_plain_table(path));
  return is_table ? format : nullptr;
}

std::string name_of(const std::string& path) {
  return std::filesystem::path(path).filename().string();
}

/// A geometry beside images: its views, or why it has none.
struct GeometryBeside {
  std::size_t views = 0;
  std::string unread = {};
};

/// Returns what a file has that may be a geometry; nothing of other files.
std::optional<GeometryBeside> geometry_in(const std::string& path, const KnownDetector& known) {
  const GeometryFormat* format = geometry_format_of(path);
  if (format == nullptr) return std::nullopt;
  try {
    const ScanSpec spec = format->read(path, known).spec;
    return GeometryBeside{std::max(spec.view_angles_rad.size(), spec.poses.size())};
  } catch (const InputError& error) {
    if (format->is_any_table && !names_geometry(path)) return std::nullopt;
    return GeometryBeside{
        0, name_of(path) + ", beside them, was not read as a geometry (" + error.what() + ")"};
  }
}

}  // namespace

bool is_geometry_file(const std::string& path, const KnownDetector& known) {
  return geometry_in(path, known).has_value();
}

GeometriesBeside geometries_beside(const FrameFiles& files, const KnownDetector& known,
                                   const CountedProjections& projections) {
  std::map<std::string, GeometryBeside> all;  // by their paths, which are sorted
  for (const auto* beside : {&files.texts, &files.others, &files.tables})
    if (beside->size() <= FrameFiles::most_others)
      for (const std::string& path : *beside)
        if (auto found = geometry_in(path, known)) all.emplace(path, std::move(*found));
  GeometriesBeside found;
  std::vector<std::string> with_last, unfit;
  for (const auto& [path, geometry] : all) {
    const std::size_t count = geometry.views;
    const ViewsOfProjections of_scan = views_of_projections(count, projections);
    if (!geometry.unread.empty())
      unfit.push_back(geometry.unread);
    else if (!of_scan.fit())
      unfit.push_back(name_of(path) + ", beside them, states " + counted(count, "view") + " for " +
                      counted(projections.count, "projection") + " and was not read");
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
