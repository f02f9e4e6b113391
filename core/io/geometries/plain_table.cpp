#include "core/io/geometries/plain_table.hpp"

#include "core/base/error.hpp"
#include "core/io/files/arrays/numpy_arrays.hpp"
#include "core/io/files/file_names.hpp"
#include "core/io/geometries/astra_geometry.hpp"
#include "core/io/geometries/projection_matrices.hpp"
#include "core/io/geometries/table_kinds.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
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

bool are_matrices_by_shape(const StoredArray& array) {
  return array.size.size() == 3 && array.size[1] == of_matrix / of_row && array.size[2] == of_row;
}

bool has_rows_of(std::size_t numbers, const StoredArray& array) {
  return array.size.size() == 2 && array.size[1] == numbers;
}

/// Returns the rows of an array in the order of the views.
PlainTable table_in_array(const std::string& path) {
  const ArrayFile file = open_numpy(path);
  const StoredArray& array = file.arrays.front();
  const std::size_t axes = array.size.size();
  PlainTable table;
  table.are_matrices = are_matrices_by_shape(array);
  if (!table.are_matrices && !has_rows_of(of_matrix, array) &&
      !has_rows_of(numbers_of(AstraType::fan), array))
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
  const TableKind kind = has_extension(path, ".matrices.npy")
                             ? TableKind::matrices
                             : kind_of_table(table.numbers, path, known);
  if (kind == TableKind::matrices)
    return assumed(geometry_of_matrices(table.numbers, path, known), "projection matrices");
  const bool is_cone = kind == TableKind::cone_vectors;
  return assumed(geometry_of_vectors(is_cone ? AstraType::cone : AstraType::parallel, table.numbers,
                                     path, known),
                 is_cone ? "vectors of ASTRA, cone_vec" : "vectors of ASTRA, parallel3d_vec");
}

/// Returns whether a file is an array of NumPy that suits.
bool is_array(const std::string& path, const std::function<bool(const StoredArray&)>& suits) try {
  return has_extension(path, ".npy") && suits(open_numpy(path).arrays.front());
} catch (const InputError&) {
  return false;
}

}  // namespace

bool may_be_plain_table(const std::string& path) {
  if (has_extension(path, ".npy"))
    return is_array(path, [&](const StoredArray& array) {
      return are_matrices_by_shape(array) || has_rows_of(of_matrix, array) ||
             (has_rows_of(numbers_of(AstraType::fan), array) && names_geometry(path));
    });
  return begins_number_table(path, of_matrix) ||
         (names_geometry(path) && (begins_number_table(path, of_row) ||
                                   begins_number_table(path, numbers_of(AstraType::fan))));
}

bool has_shape_of_matrices(const std::string& path) {
  return is_array(path, are_matrices_by_shape);
}

GeometryFormat plain_table_format() {
  GeometryFormat format;
  format.key = "plain_table";
  format.label = "vectors of ASTRA or projection matrices";
  format.extensions = {".npy", ".txt", ".csv"};
  format.is_any_table = true;
  format.read = read_plain;
  return format;
}

}  // namespace gantry
