#include "core/io/geometries/projection_matrices.hpp"

#include "core/base/error.hpp"
#include "core/base/nice_numbers.hpp"
#include "core/base/params.hpp"
#include "core/io/files/text/number_table.hpp"

#include <algorithm>
#include <cmath>
#include <span>

namespace gantry {

namespace {

/// The inverse of a matrix of three rows, by columns.
struct Inverse {
  Vec3 first, second, third;
  Vec3 times(Vec3 p) const { return p.x * first + p.y * second + p.z * third; }
};

}  // namespace

View pose_of_matrix(std::span<const double> p, const ScanSpec& detector, double pixel_mm,
                    const std::string& place) {
  const Vec3 a{p[0], p[1], p[2]}, b{p[4], p[5], p[6]}, c{p[8], p[9], p[10]},
      shift{p[3], p[7], p[11]};
  const double determinant = dot(a, cross(b, c));
  if (!(std::abs(determinant) > 1e-12 * norm(a) * norm(b) * norm(c)))
    throw InputError("is the matrix of no point source", place,
                     "give matrices of a diverging beam, with 12 numbers row after row");
  const double scale = 1 / determinant;
  const Inverse inverse{scale * cross(b, c), scale * cross(c, a), scale * cross(a, b)};
  View view;
  view.source_mm = -1.0 * inverse.times(shift);
  // The factor that a matrix leaves open follows from the size of a cell, its sign from the
  // object, which stands between source and detector.
  const Vec3 middle = inverse.times({detector.central_column, detector.central_row, 1});
  double factor = pixel_mm / norm(inverse.first);
  if (dot(middle, view.source_mm) > 0) factor = -factor;
  view.detector_mm = view.source_mm + factor * middle;
  view.u_mm = factor * inverse.first;
  view.v_mm = factor * inverse.second;
  return view;
}

StatedGeometry geometry_of_matrices(const NumberTable& table, const std::string& path,
                                    const KnownDetector& known) {
  const auto stated = [&](const char* key, double otherwise) {
    const auto found = table.stated.find(key);
    return found == table.stated.end() ? otherwise : found->second;
  };
  const auto count = [&](const char* key, int otherwise) {
    const double value = stated(key, otherwise);
    return value >= 1 && value <= 65536 && value == std::floor(value) ? static_cast<int>(value) : 0;
  };
  const double pixel_mm = stated("pixel_mm", 0);
  KnownDetector detector{count("columns", known.columns), count("rows", known.rows),
                         known.pixel_mm > 0 ? known.pixel_mm : pixel_mm};
  StatedGeometry geometry;
  if (known.may_assume_pixel && detector.pixel_mm == 0) {
    detector.pixel_mm = 1;
    geometry.assumptions.push_back(
        {"size of a cell", "1 mm",
         "neither the files nor the user state it, and no ray of a projection matrix depends on "
         "it, but the distance of the detector does: --pixel states it"});
  }
  if (pixel_mm != 0 && std::abs(pixel_mm - detector.pixel_mm) > 1e-6 * detector.pixel_mm)
    geometry.notes.push_back("pixel_mm, " + format_param(pixel_mm) + " in " + path +
                             ", was left out: the cells are known to be " +
                             format_param(detector.pixel_mm) + " mm wide");
  geometry.spec = poses_on_detector(
      detector, path, "state it in lines as \"# columns = 512\" and \"# rows = 256\"");
  if (!(detector.pixel_mm > 0 && detector.pixel_mm < 1e9))
    throw InputError("does not state the distance of detector cells, which matrices leave open",
                     path, "give the size of a cell, or a line \"# pixel_mm = 0.2\"");
  for (std::size_t i = 0; i < table.lines(); ++i)
    geometry.spec.poses.push_back(pose_of_matrix(table.line(i), geometry.spec, detector.pixel_mm,
                                                 path + ", matrix " + std::to_string(i + 1)));
  geometry.assumptions.push_back({"the object", "between source and detector, at the origin",
                                  "a matrix leaves open on which side"});
  double height = 0;
  for (const View& view : geometry.spec.poses)
    height = std::max(height, std::abs(norm(view.v_mm) / detector.pixel_mm - 1));
  if (height > 1e-3)
    geometry.notes.push_back("by the matrices the cells are " +
                             format_param(to_digits(100 * height, 3)) +
                             " % higher or lower than wide");
  return geometry;
}

GeometryFormat projection_matrices_format() {
  GeometryFormat format;
  format.key = "projection_matrices";
  format.label = "projection matrices";
  format.extensions = {".matrices.txt", ".matrices"};
  format.read = [](const std::string& path, const KnownDetector& known) {
    return geometry_of_matrices(read_number_table(path, 12, 4), path, known);
  };
  return format;
}

}  // namespace gantry
