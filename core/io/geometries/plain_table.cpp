#include "core/io/geometries/plain_table.hpp"

#include "core/base/error.hpp"
#include "core/io/files/arrays/numpy_arrays.hpp"
#include "core/io/files/file_names.hpp"
#include "core/io/geometries/astra_geometry.hpp"
#include "core/io/geometries/projection_matrices.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <utility>

namespace gantry {

namespace {

constexpr std::size_t of_matrix = 12, of_row = 4;
constexpr const char* remedy =
    "give a row of 12 numbers for each view (6 for a fan), or a matrix of 3 x 4";

/// A table, and whether its shape says that each view has a matrix.
struct PlainTable {
  NumberTable numbers;
  bool are_matrices = false;
};

/// Returns the rows of an array in the order of the views.
PlainTable table_in_array(const std::string& path) {
  const ArrayFile file = open_numpy(path);
  const StoredArray& array = file.arrays.front();
  const std::size_t axes = array.size.size();
  PlainTable table;
  table.are_matrices = axes == 3 && array.size[1] == of_matrix / of_row && array.size[2] == of_row;
  const bool are_rows =
      axes == 2 && (array.size[1] == of_matrix || array.size[1] == numbers_of(AstraType::fan));
  if (!table.are_matrices && !are_rows)
    throw InputError("is of " + array.size_text() + " numbers", path, remedy);
  const std::vector<double> stored = numbers_of(array);
  if (!std::ranges::all_of(stored, [](double value) { return std::isfinite(value); }))
    throw InputError("holds numbers that are not finite", path, "write them again");
  table.numbers.columns = table.are_matrices ? of_matrix : static_cast<std::size_t>(array.size[1]);
  const std::size_t last = static_cast<std::size_t>(array.size.back());
  table.numbers.values.resize(stored.size());
  for (std::size_t i = 0; i < stored.size(); ++i) {
    const std::size_t row = i / table.numbers.columns, inner = i % table.numbers.columns;
    const std::size_t at = row * array.step(0) + (inner % last) * array.step(axes - 1) +
                           (axes == 3 ? inner / last * array.step(1) : 0);
    table.numbers.values[i] = stored[at];
  }
  return table;
}

PlainTable table_in_text(const std::string& path) {
  try {
    return {read_number_table(path, of_matrix, of_row), false};
  } catch (const InputError&) {
    try {
      return {read_number_table(path, numbers_of(AstraType::fan)), false};
    } catch (const InputError&) {  // the first message names both ways to write 12 numbers
    }
    throw;
  }
}

bool are_near(double a, double b, double factor) { return a < factor * b && b < factor * a; }

/// Whether steps along columns and rows are about at right angles, and about as long.
bool are_cells(Vec3 u, Vec3 v) {
  return norm(u) > 0 && norm(v) > 0 && are_near(norm(u), norm(v), 4) &&
         std::abs(dot(u, v)) < 0.2 * norm(u) * norm(v);
}

/// Whether 12 numbers make sense as source, middle of the detector and steps between cells: the
/// detector faces the source, many cells away.
bool may_be_vectors(std::span<const double> n) {
  const Vec3 away = Vec3{n[3], n[4], n[5]} - Vec3{n[0], n[1], n[2]}, u{n[6], n[7], n[8]},
             v{n[9], n[10], n[11]};
  if (!are_cells(u, v)) return false;
  constexpr double faces = 0.5;  // cosine of the angle
  return std::abs(dot(away, normalized(cross(u, v)))) > faces * norm(away) &&
         norm(away) > 4 * norm(u);
}

/// Whether they make sense as a matrix: of a source, and cells like those above.
bool may_be_matrix(std::span<const double> n, const ScanSpec& detector) {
  try {
    const View view = pose_of_matrix(n, detector, 1, {});
    return are_cells(view.u_mm, view.v_mm) && std::isfinite(norm(view.source_mm));
  } catch (const InputError&) {
    return false;
  }
}

/// Returns whether rows of 12 numbers are matrices. Throws InputError where they may be either.
bool takes_matrices(const NumberTable& table, const std::string& path, const KnownDetector& known) {
  if (has_extension(path, ".matrices.npy")) return true;
  ScanSpec detector;
  detector.central_column = 0.5 * (known.columns - 1);
  detector.central_row = 0.5 * (known.rows - 1);
  bool may_vectors = true, may_matrices = true;
  for (std::size_t i = 0; i < table.lines(); ++i) {
    may_vectors = may_vectors && may_be_vectors(table.line(i));
    may_matrices = may_matrices && may_be_matrix(table.line(i), detector);
  }
  if (may_vectors != may_matrices) return may_matrices;
  throw InputError("holds 12 numbers for each view, which may be vectors of ASTRA or matrices",
                   path, "name it NAME.cone_vec.txt or NAME.matrices.txt (of arrays, .npy)");
}

StatedGeometry read_plain(const std::string& path, const KnownDetector& known) {
  const bool is_array = has_extension(path, ".npy");
  const PlainTable table = is_array ? table_in_array(path) : table_in_text(path);
  const auto assumed = [](StatedGeometry stated, const char* what) {
    stated.assumptions.insert(stated.assumptions.begin(),
                              {"numbers of the geometry", what, "they make sense as these"});
    return stated;
  };
  if (table.numbers.columns == numbers_of(AstraType::fan))
    return assumed(geometry_of_vectors(AstraType::fan, table.numbers, path, known),
                   "vectors of ASTRA, fanflat_vec");
  if (table.are_matrices) return geometry_of_matrices(table.numbers, path, known);
  for (const auto& [name, type] :
       {std::pair(".cone_vec.npy", AstraType::cone), {".parallel3d_vec.npy", AstraType::parallel}})
    if (has_extension(path, name)) return geometry_of_vectors(type, table.numbers, path, known);
  if (takes_matrices(table.numbers, path, known))
    return assumed(geometry_of_matrices(table.numbers, path, known), "projection matrices");
  return assumed(geometry_of_vectors(AstraType::cone, table.numbers, path, known),
                 "vectors of ASTRA, cone_vec");
}

}  // namespace

GeometryFormat plain_table_format() {
  GeometryFormat format;
  format.key = "plain_table";
  format.label = "vectors of ASTRA or projection matrices";
  format.extensions = {".npy", ".txt"};
  format.is_any_table = true;
  format.read = read_plain;
  return format;
}

}  // namespace gantry
