#include "core/io/imports/folders/geometry_beside.hpp"

#include "core/base/error.hpp"
#include "core/io/geometries/geometry_formats.hpp"

#include <algorithm>
#include <iterator>

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

std::vector<std::string> geometries_beside(const FrameFiles& files, const KnownDetector& known,
                                           std::size_t views, std::size_t with_missing) {
  std::vector<std::string> found;
  for (const auto* beside : {&files.texts, &files.others})
    if (beside->size() <= FrameFiles::most_others)
      std::ranges::copy_if(*beside, std::back_inserter(found), [&](const std::string& path) {
        const std::size_t in_file = views_in(path, known);
        return in_file > 0 && (in_file == views || in_file == with_missing);
      });
  std::ranges::sort(found);
  return found;
}

}  // namespace gantry
